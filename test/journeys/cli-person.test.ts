import { describe, expect, test } from 'vitest'
import { answerSchema } from '../../src/index.ts'
import { jsonLines, newJourney, SETTINGS, WITHOUT_REVIEWS, WRITES } from './new-journey.ts'

const SIGNED = `${SETTINGS.replace(WITHOUT_REVIEWS, '')}
workflows:
  trivial: { phases: [ { name: implement }, { name: sign-off, by: person } ] }
breakpoints: [ { before: landing, tasks: [ "b*" ] } ]
`

describe('work that waits for a person', () => {
  test('is rejected and approved from the command line, with and without an engine, and lands once', async () => {
    const journey = newJourney({ 'longhaul.yaml': SIGNED, 'script.yaml': WRITES })
    await journey.cliInProcess('add', 'a', '--title', 'A', '--weight', 'trivial')
    expect(await journey.cli('run')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('"longhaul approve a" or "longhaul reject a TEXT"'),
    })
    expect((await journey.status()).tasks).toMatchObject([{ state: 'needs-person', phase: 'sign-off', attempts: 1 }])
    const rejected = await journey.cliInProcess('reject', 'a', 'Use tabs.', '--json')
    expect(answerSchema.parse(jsonLines(rejected)[0])).toEqual({
      task: 'a',
      answer: 'rejected',
      text: 'Use tabs.',
      byEngine: false,
    })
    expect((await journey.cli('run')).code).toBe(3)
    const { stdout: story } = await journey.cliInProcess('show', 'a', '--json')
    expect(story).toContain('Use tabs.')
    expect(await journey.cliInProcess('answer', 'a', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('approve a'),
    })
    const engine = journey.start(['run'])
    await engine.ended
    expect((await journey.cliInProcess('approve', 'a', 'fine')).code).toBe(0)
    expect((await journey.cli('run')).code).toBe(0)
    expect((await journey.status()).tasks).toMatchObject([{ state: 'done', attempts: 1 }])
    expect(await journey.cliInProcess('approve', 'a')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is done'),
    })
  })

  test('does not delay other tasks, and a blocked agent gets the answer', async () => {
    const blocked = '- { task: b1, round: 1, steps: [ { report: blocked, reason: "Which port?" } ] }\n'
    const journey = newJourney({ 'longhaul.yaml': SIGNED, 'script.yaml': `${blocked}${WRITES}` })
    for (const id of ['b1', 'c']) await journey.cliInProcess('add', id, '--title', id, '--weight', 'small')
    expect(await journey.cli('run')).toMatchObject({ code: 3, stdout: expect.stringContaining('longhaul answer b1') })
    expect((await journey.status()).tasks).toMatchObject([{ state: 'needs-person' }, { state: 'done' }])
    expect((await journey.cliInProcess('answer', 'b1', 'Use 8080.')).code).toBe(0)
    expect(await journey.cli('run')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('a breakpoint stops it before landing'),
    })
    expect((await journey.cliInProcess('log', '--task', 'b1')).stdout).toContain('you answered: Use 8080.')
    await journey.cliInProcess('approve', 'b1')
    expect((await journey.cli('run')).code).toBe(0)
  })
})
