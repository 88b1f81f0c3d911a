import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HANG_MS } from '../patience.ts'
import { leftovers } from './leftovers.ts'
import { type Journey, jsonLines, newJourney, SETTINGS } from './new-journey.ts'

const FULL = '{ usage: { input: 1000, cacheRead: 169000, window: 200000 } }'
const BRIEF = 'Write four files, one\nafter another, "with" $care.'
// Steps that outlast the wait for the hand-off, which happens between two steps.
const WAITS = Array.from({ length: HANG_MS / 100 }, () => '{ wait: 0.1 }').join(', ')
const STEPS = [
  '{ run: "echo $LONGHAUL_ROUND >> work.txt" }, { run: "echo round $LONGHAUL_ROUND >> .longhaul/progress.md" }',
  FULL,
  `${WAITS}, { run: "echo too late >> work.txt" }`,
].join(', ')

interface Fact {
  readonly kind: string
  readonly quality?: string
  readonly when?: string
}

test('full sessions hand over repeatedly, and the work continues where it was', async () => {
  const journey = newJourney({
    'longhaul.yaml': SETTINGS,
    'script.yaml': [
      `- { task: a, round: 1, steps: [ ${STEPS}, { note: "<hand-off>\\n## Goal\\nfour files\\n## Completed\\nx\\n## Remaining\\ny\\n## Do not redo\\nz\\n## Decisions\\nw\\n</hand-off>" } ] }`,
      `- { task: a, round: 2, steps: [ ${STEPS}, { note: "half is done" } ] }`,
      `- { task: a, round: 3, steps: [ ${STEPS.replace('169000', '198000').replace(WAITS, '{ hang: true }')} ] }`,
      '- { task: a, round: 4, steps: [ { run: "echo 4 >> work.txt" }, { run: "cp .longhaul/progress.md seen.txt" }, { report: done } ] }\n',
    ].join('\n'),
  })
  journey.write('tasks.json', JSON.stringify({ tasks: [{ id: 'a', title: 'A', brief: BRIEF, weight: 'trivial' }] }))
  expect((await journey.cliInProcess('import', 'tasks.json')).code).toBe(0)
  expect(await journey.cli('run')).toMatchObject({ code: 0 })

  const facts = jsonLines<Fact>(await journey.cliInProcess('log', '--json', '--task', 'a'))
  const handOffs = facts.filter(({ kind }) => kind === 'session-handed-off' || kind === 'hand-off-started')
  expect(handOffs.map(({ quality, when }) => quality ?? when)).toEqual([
    'boundary',
    'whole',
    'boundary',
    'partial',
    'now',
    'none',
  ])
  expect(journey.read('work.txt')).toBe('1\n2\n3\n4\n')
  expect(journey.read('seen.txt')).toBe('round 1\nround 2\nround 3\n')
  expect(existsSync(join(journey.repository, '.longhaul'))).toBe(false)

  expect(promptOf(journey, 2)).toContain('## Goal\nfour files')
  expect(promptOf(journey, 2)).not.toContain('<hand-off>')
  expect(promptOf(journey, 3)).toContain('half is done')
  for (const round of [2, 3, 4]) {
    const prompt = promptOf(journey, round)
    expect(prompt).toContain(BRIEF)
    expect(prompt).toMatch(/The last commits:\n[0-9a-f]{7,} a: A\n/)
    expect(prompt).toMatch(/ work\.txt \| +\d \+/)
  }
  expect(leftovers(journey)).toEqual([])
})

test('a context too full for a note is handed over from recorded facts, up to the limit of hand-offs', async () => {
  const journey = newJourney({
    'longhaul.yaml': SETTINGS.replace('limits: {', 'limits: { attempts: 1, hand_offs: 1,'),
    'script.yaml': '- { task: "*", steps: [ { run: "echo x >> work.txt" }, { end: context-exhausted } ] }\n',
  })
  await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
  expect(await journey.cli('run')).toMatchObject({ code: 1, stdout: expect.stringContaining('2 sessions were full') })
  expect(promptOf(journey, 2)).toMatch(/The last commits:\n[0-9a-f]{7,} a: A\n/)
  expect(journey.git('show', 'longhaul/a-a1:work.txt')).toBe('x\nx')
})

function promptOf(journey: Journey, round: number): string {
  return readFileSync(join(journey.repository, `.git/longhaul/transcripts/a-a1/round-${round}.prompt.md`), 'utf8')
}
