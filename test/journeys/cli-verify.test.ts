import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dryRunSchema, verifySchema } from '../../src/index.ts'
import { SOON } from '../patience.ts'
import { type Journey, jsonLines, newJourney, SETTINGS, taskFile, WRITES } from './new-journey.ts'

test('a dry run shows what would start and why the rest waits, and leaves no trace; verify checks landed work again', async () => {
  const journey = newJourney()
  // The check fails once the mark exists, which is outside the repository.
  const mark = join(journey.folder, 'mark')
  journey.write('longhaul.yaml', SETTINGS.replace('test ! -e red', `test ! -e '${mark}'`))
  journey.write('script.yaml', WRITES)
  journey.commit('settings')
  journey.write('tasks.json', taskFile('a', 'b:a'))
  await journey.cliInProcess('import', 'tasks.json')
  const before = (await journey.cliInProcess('log')).stdout
  const dry = dryRunSchema.parse(jsonLines(await journey.cli('run', '--dry-run', '--json'))[0])
  expect(dry).toMatchObject({
    isPaused: false,
    isBaselineFirst: true,
    goesOn: [],
    starts: [{ task: 'a', attempt: 'a-a1', reason: 'slot 1 of 3 (no dependencies)' }],
    waits: [{ task: 'b', state: 'waiting', reason: 'waiting for a' }],
  })
  expect((await journey.cli('run', '--dry-run')).stdout).toMatch(/Would start:\n {2}a-a1 .*\nWould wait:\n {2}b /)
  expect((await journey.cliInProcess('log')).stdout).toBe(before)
  expect(await journey.cli('verify', 'a')).toMatchObject({ code: 2, stderr: expect.stringContaining('has not landed') })

  expect((await journey.cli('run')).code).toBe(0)
  const facts = (await journey.cliInProcess('log')).stdout
  const proven = await journey.cli('verify', 'a', '--json')
  const { passed, receipts, commit } = verifySchema.parse(jsonLines(proven)[0])
  expect({ code: proven.code, passed, gates: receipts.map(({ gate }) => gate) }).toEqual({
    code: 0,
    passed: true,
    gates: ['tests'],
  })
  expect(commit).toBe((await journey.status()).tasks[0]?.commit)

  journey.write('../mark', '')
  expect(await journey.cli('verify', 'a')).toMatchObject({ code: 1, stdout: expect.stringContaining('does not pass') })
  expect((await journey.cliInProcess('log')).stdout).toBe(facts)
  expect(leftIn(journey)).toEqual([])
})

test('Ctrl-C cancels a verification and removes its checkout', async () => {
  const journey = newJourney()
  const started = join(journey.folder, 'started')
  journey.write('longhaul.yaml', SETTINGS.replace('test ! -e red', `test ! -e '${started}' || sleep 600`))
  journey.commit('settings')
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  expect((await journey.cli('run')).code).toBe(0)
  journey.write('../started', '')
  const verify = journey.start(['verify', 'a'])
  await verify.printed('in a clean checkout')
  await expect.poll(() => leftIn(journey), SOON).not.toEqual([])
  verify.child.kill('SIGINT')
  expect((await verify.ended).code).toBe(130)
  expect(leftIn(journey)).toEqual([])
})

/** Lists what is left in the folder of the repository's workspaces. */
function leftIn({ env }: Journey): readonly string[] {
  const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  const folders = (existsSync(home) ? readdirSync(home) : []).filter((name) => !name.includes('.lease.'))
  return folders.flatMap((name) =>
    readdirSync(join(home, name)).filter((entry) => !['.own', '.caches'].includes(entry)),
  )
}
