import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { mainFile } from '../conformance/built.ts'
import { type Journey, newJourney } from './new-journey.ts'
import { hasTmux, openTmux } from './tmux.ts'

/** Shells without any configuration, and the command that loads our completion. */
const SHELLS = [
  ['bash', 'bash --norc --noprofile', 'eval "$(longhaul completion bash)"'],
  ['zsh', 'zsh -f', 'eval "$(longhaul completion zsh)"'],
  ['fish', 'fish --no-config', 'longhaul completion fish | source'],
] as const

/** Text before Tab is pressed, and the completed text. */
const COMPLETED = [
  ['stat', 'status'],
  ['config va', 'config validate'],
  ['status --j', 'status --json'],
  ['retry fi', 'retry fix-login'],
  ['log --task=fi', 'log --task=fix-login'],
  ['add more --after other,fi', 'add more --after other,fix-login'],
  ['import long', 'import longhaul.yaml'],
] as const

test.skipIf(!hasTmux).for(SHELLS)(
  '%s completes verbs, options, tasks and files',
  async ([name, shell, load], { skip }) => {
    skip(spawnSync(name, ['--version']).status !== 0, `${name} is not installed`)
    const terminal = openTmux(await journeyWithTasks(), 100, 30)
    try {
      terminal.type(shell)
      terminal.type(`${load}; echo lo''aded`)
      await terminal.shows('loaded')
      for (const [typed, completed] of COMPLETED) {
        terminal.press('C-u', 'C-l')
        terminal.press('-l', `longhaul ${typed}`)
        terminal.press('Tab')
        await expect(terminal.shows(new RegExp(`longhaul ${completed}( |$)`, 'm'))).resolves.toBeUndefined()
      }
    } finally {
      terminal.end()
    }
  },
)

test('an unknown or missing shell is refused with a list of shells', async () => {
  const journey = newJourney()
  const shells = { code: 2, stderr: expect.stringMatching(/bash.*zsh.*fish/) }
  expect(await journey.cli('completion')).toMatchObject(shells)
  expect(await journey.cli('completion', 'csh')).toMatchObject(shells)
})

async function journeyWithTasks(): Promise<Journey> {
  const journey = newJourney(undefined, { programs: { longhaul: `exec '${process.execPath}' '${mainFile}' "$@"` } })
  for (const task of ['fix-login', 'other']) await journey.cliInProcess('add', task, '--title', `It's: ${task}`)
  return journey
}
