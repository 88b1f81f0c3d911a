import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTemporaryObjects } from './temporary-objects.ts'

test('temporary objects, packs and indexes are found, and nothing else', async () => {
  const gitDir = mkdtempSync(join(tmpdir(), 'longhaul objects '))
  onTestFinished(() => rmSync(gitDir, { recursive: true }))
  const put = (name: string) => {
    const file = join(gitDir, 'objects', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'half')
    utimesSync(file, 1, 1)
  }
  const temporary = ['tmp_obj_a', 'ab/tmp_obj_b', 'pack/tmp_pack_c', 'pack/tmp_idx_d']
  const others = ['ab/cdef', 'pack/pack-1.pack', 'pack/pack-1.idx', 'info/tmp_obj_e', 'tmp_objdir-1/tmp_obj_f']
  for (const name of [...temporary, ...others]) put(name)
  const objects = await findTemporaryObjects(gitDir)
  expect(objects.toSorted((a, b) => (a.file < b.file ? -1 : 1))).toEqual(
    temporary
      .map((name) => ({ file: join(gitDir, 'objects', name), bytes: 4, changedAt: 1_000 }))
      .toSorted((a, b) => (a.file < b.file ? -1 : 1)),
  )
  expect(await findTemporaryObjects(join(gitDir, 'missing'))).toEqual([])
})
