import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../../process/start/run-command.ts'
import { readRecord, removeEmptySession } from './session-records.ts'

const session = '5f0c1f7e-0000-4000-8000-000000000001'
let root = ''
let config = ''
let file = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-records-'))
  config = join(root, 'claude')
  file = join(config, 'projects', '-a-tree', `${session}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a record is read from the folder of its project', async () => {
  expect(await readRecord({ config, session })).toBeNull()
  writeFileSync(file, '{}\n')
  expect(await readRecord({ config, session })).toBe('{}\n')
  expect(await readRecord({ config: join(root, 'none'), session })).toBeNull()
})

// Each is put there by an agent, to make the engine read, remove or wait for something else.
test.each<[string, () => unknown]>([
  ['a link to a file', () => symlinkSync(elsewhere(), file)],
  [
    'a link to the folder of a project',
    () => {
      rmSync(dirname(file), { recursive: true })
      symlinkSync(dirname(elsewhere()), dirname(file))
    },
  ],
  [
    'a link to the folder of all projects',
    () => {
      rmSync(join(config, 'projects'), { recursive: true })
      symlinkSync(dirname(dirname(elsewhere())), join(config, 'projects'))
    },
  ],
  ['a pipe', () => runCommand({ file: 'mkfifo', args: [file], cwd: root, env: { PATH: '/usr/bin:/bin' } })],
  ['a folder', () => mkdirSync(file)],
  [
    'a file that is too large',
    () => {
      writeFileSync(file, '')
      truncateSync(file, 2 ** 32)
    },
  ],
])('%s is no record', async (_name, plant) => {
  await plant()
  expect(await readRecord({ config, session })).toBeNull()
  expect(await removeEmptySession({ config, session })).toBe(false)
})

/** Writes a file that looks like an empty record in another folder. */
function elsewhere(): string {
  const path = join(root, 'user', '-a-tree', `${session}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  return path
}
