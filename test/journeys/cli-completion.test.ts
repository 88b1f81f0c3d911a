import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { newJourney } from './kit.ts'

test('bash completes verbs, options, parts and the ids of tasks', async () => {
  const journey = newJourney(undefined, { programs: { longhaul: `exec '${process.execPath}' "$LONGHAUL_MAIN" "$@"` } })
  await journey.cli('add', 'fix-login', '--title', 'A')
  const { stdout: script } = await journey.cli('completion', 'bash')
  const main = new URL('../../dist/main.js', import.meta.url).pathname
  const completed = (...words: readonly string[]) => {
    const typed = `COMP_WORDS=(longhaul ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
    return execFileSync('bash', ['-c', `${script}\n${typed}\n_longhaul; printf '%s\\n' "\${COMPREPLY[@]}"`], {
      ...{ cwd: journey.repository, env: { ...journey.env, LONGHAUL_MAIN: main }, encoding: 'utf8' },
    })
      .trim()
      .split('\n')
  }
  expect(completed('st')).toEqual(['status', 'stop', 'steer'])
  expect(completed('status', '--')).toEqual(['--json', '--help'])
  expect(completed('config', 'va')).toEqual(['validate'])
  expect(completed('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  expect(completed('retry', 'f')).toEqual(['fix-login'])

  const verbs = completed('')
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await journey.cli('completion', shell)
    expect(verbs.filter((verb) => !stdout.includes(verb))).toEqual([])
  }
  expect(await journey.cli('completion')).toMatchObject({ code: 2, stderr: expect.stringContaining('bash|zsh|fish') })
})
