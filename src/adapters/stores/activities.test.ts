import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ShownActivity } from '../../core/model/activity.ts'
import type { AttemptId } from '../../core/model/ids.ts'
import { fileActivities } from './activities.ts'

const root = mkdtempSync(join(tmpdir(), 'longhaul-activities-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function shown(attempt: string, round = 1): ShownActivity {
  return {
    attempt: attempt as AttemptId,
    round,
    activity: { kind: 'tool', name: 'Bash' },
    since: 1,
    heardAt: 2,
    signs: 3,
    at: 4,
  }
}

test('what one process shows last, another reads; what is forgotten is gone', () => {
  const folder = join(root, 'shared')
  const [engine, reader] = [fileActivities(folder), fileActivities(folder)]
  expect(reader.read().size).toBe(0)
  for (const one of [shown('a-a1'), shown('b-a1'), shown('a-a1', 2)]) engine.show(one)
  expect([...reader.read().values()].sort((a, b) => a.round - b.round)).toEqual([shown('b-a1'), shown('a-a1', 2)])
  engine.forget('a-a1' as AttemptId)
  expect([...reader.read().keys()]).toEqual(['b-a1'])
  engine.clear()
  expect(reader.read().size).toBe(0)
})

test('half a file and a folder that cannot be made are no trouble', () => {
  const folder = join(root, 'bad')
  fileActivities(folder).show(shown('a-a1'))
  writeFileSync(join(folder, 'b-a1.json'), '{"attempt":')
  expect([...fileActivities(folder).read().keys()]).toEqual(['a-a1'])
  const nowhere = fileActivities(join(folder, 'b-a1.json'))
  nowhere.show(shown('c-a1'))
  nowhere.forget('c-a1' as AttemptId)
  expect(nowhere.read().size).toBe(0)
})
