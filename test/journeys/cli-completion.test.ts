import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { mainFile } from '../conformance/built.ts'
import { type Journey, newJourney } from './kit.ts'
import { hasTmux, openTmux } from './tmux.ts'

/** Shells as nobody has set them up, and how each learns from us. */
const SHELLS = [
  ['bash', 'bash --norc --noprofile', 'eval "$(longhaul completion bash)"'],
  ['zsh', 'zsh -f', 'eval "$(longhaul completion zsh)"'],
  ['fish', 'fish --no-config', 'longhaul completion fish | source'],
] as const

/** What is typed before Tab is pressed, and what Tab makes of it. */
const COMPLETED = [
  ['stat', 'status'],
  ['config va', 'config validate'],
  ['status --j', 'status --json'],
  ['retry fi', 'retry fix-login'],
  ['log --task=fi', 'log --task=fix-login'],
  ['add more --after other,fi', 'add more --after other,fix-login'],
  ['import long', 'import longhaul.yaml'],
] as const

test.skipIf(!hasTmux).for(SHELLS)('%s completes whatever may come next', async ([name, shell, learn], { skip }) => {
  skip(spawnSync(name, ['--version']).status !== 0, `${name} is not installed`)
  const terminal = openTmux(await journeyWithTasks(), 100, 30)
  try {
    terminal.type(shell)
    terminal.type(`${learn}; echo le''arned`)
    await terminal.shows('learned')
    for (const [typed, completed] of COMPLETED) {
      terminal.press('C-u', 'C-l')
      terminal.press('-l', `longhaul ${typed}`)
      terminal.press('Tab')
      await expect(terminal.shows(new RegExp(`longhaul ${completed}( |$)`, 'm'))).resolves.toBeUndefined()
    }
  } finally {
    terminal.end()
  }
})

test('a shell that is not known, or not named, is told which there are', async () => {
  const journey = newJourney()
  const shells = { code: 2, stderr: expect.stringMatching(/bash.*zsh.*fish/) }
  expect(await journey.cli('completion')).toMatchObject(shells)
  expect(await journey.cli('completion', 'csh')).toMatchObject(shells)
})

async function journeyWithTasks(): Promise<Journey> {
  const journey = newJourney(undefined, { programs: { longhaul: `exec '${process.execPath}' '${mainFile}' "$@"` } })
  for (const task of ['fix-login', 'other']) await journey.here('add', task, '--title', `It's: ${task}`)
  return journey
}
