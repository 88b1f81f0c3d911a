import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newJourney } from './new-journey.ts'

test('the demo lands every task in its own folder and leaves the repository alone', async () => {
  const journey = newJourney({}, { sandbox: 'standard' })
  const before = journey.git('for-each-ref')
  const shown = await journey.cli('demo')
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toContain('Claude Code works on it')
  expect(shown.stdout).toMatch(/parse-a1 +checks failed in the workspace: tests: "node --test" ended with exit code 1/)
  expect(shown.stdout).toMatch(/format-a1 +parked until/)
  expect(shown.stdout).toMatch(/strict-a1 +session \S+ handed off with a note/)
  expect(shown.stdout).toMatch(/Run \S+: 10 done/)
  expect(journey.git('for-each-ref')).toBe(before)
  expect(journey.git('status', '--porcelain', '--ignored')).toBe('')

  const project = join(journey.env.XDG_STATE_HOME ?? '', 'longhaul/demo/durations')
  const status = await journey.start(['status'], project).ended
  expect(readFileSync(join(project, 'CHANGELOG.md'), 'utf8')).toContain('0.1.0')
  expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('has ended; work lands on main. 10 done.') })
})
