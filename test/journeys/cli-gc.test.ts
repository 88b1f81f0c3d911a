import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gcSchema } from '../../src/index.ts'
import { type Journey, jsonLines, newJourney, ONE_ATTEMPT, taskFile, WRITES } from './new-journey.ts'

const FAILS = '- { task: "old", steps: [ { write: { path: half.txt, text: half } }, { end: refused } ] }\n'
const LONG_AGO = new Date(Date.now() - 40 * 24 * 3_600_000)

test('gc lists what is no longer needed, removes it with --yes, and loses no work', async () => {
  const journey = newJourney({
    'longhaul.yaml': ONE_ATTEMPT,
    'script.yaml': `${FAILS}${FAILS.replace('old', 'young')}${WRITES}`,
  })
  journey.write('tasks.json', taskFile('old', 'young', 'good'))
  await journey.cliInProcess('import', 'tasks.json')
  expect((await journey.cli('run')).code).toBe(1)
  const home = homeOf(journey)
  writeFileSync(join(home, 'old-a1/tree/unsaved.txt'), 'unsaved')
  mkdirSync(join(home, 'check+out-x/tree'), { recursive: true })
  const transcripts = join(journey.repository, '.git/longhaul/transcripts/old-a1')
  for (const path of [join(home, 'old-a1'), join(home, '.own/old-a1')]) utimesSync(path, LONG_AGO, LONG_AGO)
  for (const file of readdirSync(transcripts)) utimesSync(join(transcripts, file), LONG_AGO, LONG_AGO)
  for (const [name, at] of Object.entries({ ancient: LONG_AGO, recent: new Date() })) salvaged(journey, name, at)
  const objects = join(journey.repository, '.git/objects')
  for (const name of ['tmp_obj_killed', 'tmp_obj_live']) writeFileSync(join(objects, name), 'half')
  utimesSync(join(objects, 'tmp_obj_killed'), LONG_AGO, LONG_AGO)

  const listing = gcSchema.parse(jsonLines(await journey.cli('gc', '--json'))[0])
  expect(listing).toMatchObject({ isFreed: false, problems: [] })
  expect(listing.items.map(({ what, name }) => `${what} ${name}`)).toEqual([
    'checkout check+out-x',
    'workspace old-a1',
    'salvage refs/longhaul/salvage/ancient',
    'transcripts old-a1',
    'objects 1 temporary file of git',
  ])
  expect(existsSync(join(home, 'old-a1'))).toBe(true)

  expect(await journey.cli('gc', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('Freed 5 of 5') })
  expect(readdirSync(home).sort()).toEqual(['.own', 'young-a1'])
  expect(existsSync(transcripts)).toBe(false)
  expect(readdirSync(objects).filter((name) => name.startsWith('tmp_'))).toEqual(['tmp_obj_live'])
  expect(journey.git('show', 'refs/longhaul/salvage/old-a1:unsaved.txt')).toBe('unsaved')
  expect(journey.git('show', 'longhaul/old-a1:half.txt')).toBe('half')
  expect(journey.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/longhaul/salvage').split('\n')).toEqual([
    'old-a1',
    'recent',
  ])
  expect(await journey.cli('gc')).toMatchObject({ code: 0, stdout: 'Nothing to free.\n' })
})

/** Folder of the workspaces of the journey's repository. */
function homeOf({ env }: Journey): string {
  const home = join(env.XDG_STATE_HOME ?? '', 'longhaul')
  return join(home, readdirSync(home)[0] ?? '')
}

/** Creates a ref with work that was salvaged at this time. */
function salvaged(journey: Journey, name: string, at: Date): void {
  const date = `${Math.floor(at.getTime() / 1000)} +0000`
  const tree = journey.git('rev-parse', 'HEAD^{tree}')
  const file = join(journey.folder, 'commit')
  const person = `Ursula User <user@example.org> ${date}`
  writeFileSync(file, `tree ${tree}\nauthor ${person}\ncommitter ${person}\n\nsalvaged\n`)
  journey.git('update-ref', `refs/longhaul/salvage/${name}`, journey.git('hash-object', '-t', 'commit', '-w', file))
}
