import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { orphanRecords } from './session-records.ts'

const SESSION = '5f0c1f7e-0000-4000-8000-000000000001'
let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-records-')))
  mkdirSync(join(root, 'home', 'a_b-a2', 'tree'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Writes a record as Claude Code names it, with one session. */
function record(config: string, folder: string, session = SESSION): string {
  const name = folder.replaceAll(/[^A-Za-z0-9]/g, '-')
  mkdirSync(join(config, 'projects', name), { recursive: true })
  mkdirSync(join(config, 'session-env', session), { recursive: true })
  writeFileSync(join(config, 'projects', name, `${session}.jsonl`), '{}\n')
  return name
}

test('orphan records are those of removed workspaces, and are removed with the files of their sessions', async () => {
  const config = join(root, 'user', '.claude')
  const home = join(root, 'home')
  const gone = record(config, join(home, 'x.y-a1', 'tree'))
  const others = [
    record(config, join(home, 'a_b-a2', 'tree'), 'kept'),
    record(config, join(root, 'project'), 'mine'),
    record(config, join(home, 'notes'), 'notes'),
    record(config, join(`${home}work`, 'x-a1', 'tree'), 'another'),
  ]
  // The home is a link; Claude Code names records by the real path.
  symlinkSync(home, join(root, 'link'))
  const search = { home: join(root, 'link'), kept: [join(root, 'link', 'a_b-a2', 'tree')] }
  const records = await orphanRecords({ ...search, environment: { HOME: join(root, 'user') } })
  expect(records.map(({ path }) => path)).toEqual([join(config, 'projects', gone)])
  await records[0]?.remove()
  expect(readdirSync(join(config, 'projects')).sort()).toEqual(others.sort())
  expect(readdirSync(join(config, 'session-env')).sort()).toEqual(['another', 'kept', 'mine', 'notes'])
})

test('orphan records are searched only in the folder that the agent uses', async () => {
  const [chosen, usual] = [join(root, 'chosen'), join(root, 'user', '.claude')]
  const folder = join(root, 'home', 'x-a1', 'tree')
  for (const config of [chosen, usual]) record(config, folder)
  const search = { home: join(root, 'home'), kept: [] }
  const records = await orphanRecords({
    ...search,
    environment: { HOME: join(root, 'user'), CLAUDE_CONFIG_DIR: chosen },
  })
  expect(records.map(({ path }) => path.startsWith(chosen))).toEqual([true])
  expect(await orphanRecords({ ...search, environment: {} })).toEqual([])
  expect(await orphanRecords({ ...search, home: join(root, 'none'), environment: { HOME: root } })).toEqual([])
  expect(existsSync(usual)).toBe(true)
})
