import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scriptReader } from './read-script.ts'

const RULE = '- { task: "*", steps: [] }\n'

describe('reading a script', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-script-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('starts at the folder, and again only after a change', async () => {
    const read = scriptReader(folder)
    await writeFile(join(folder, 'a.yaml'), RULE)
    const first = await read('a.yaml')
    expect(first).toHaveLength(1)
    expect(await read('a.yaml')).toBe(first)
    expect(await read(join(folder, 'a.yaml'))).toBe(first)
    await writeFile(join(folder, 'a.yaml'), RULE + RULE)
    expect(await read('a.yaml')).toHaveLength(2)
  })

  test('without a script, says where to name one', async () => {
    expect(await scriptReader(folder)(null)).toEqual({
      kind: 'problem',
      code: 'script-missing',
      message: 'The scripted agent has no script.',
      hint: 'Write "agent: { driver: scripted, script: FILE }" in longhaul.yaml.',
      retry: 'never',
    })
  })

  test('that does not exist, is named with its path', async () => {
    expect(await scriptReader(folder)('no.yaml')).toEqual({
      kind: 'problem',
      code: 'script-unreadable',
      message: 'The script no.yaml does not exist.',
      hint: `Correct "agent.script" in longhaul.yaml, or create ${join(folder, 'no.yaml')}.`,
      retry: 'never',
      cause: expect.objectContaining({ code: 'ENOENT' }),
    })
  })

  test('that is a folder, says so', async () => {
    const read = await scriptReader(folder)('.')
    expect(read).toMatchObject({ code: 'script-unreadable', message: expect.stringContaining('EISDIR') })
  })
})
