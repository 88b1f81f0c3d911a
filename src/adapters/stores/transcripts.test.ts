import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AttemptId } from '../../core/model/ids.ts'
import { fileTranscripts, readPrompt } from './transcripts.ts'

const ATTEMPT = 't1-a1' as AttemptId
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-transcripts-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('transcripts', () => {
  test('keep prompts and lines of each round, in order', async () => {
    const transcripts = fileTranscripts(folder)
    transcripts.write(ATTEMPT, 1, { kind: 'prompt', text: 'Do it.' })
    for (let line = 0; line < 1000; line += 1) transcripts.write(ATTEMPT, 1, { kind: 'line', text: `{"n":${line}}` })
    transcripts.write(ATTEMPT, 2, { kind: 'line', text: 'ü 漢' })
    transcripts.close(ATTEMPT)
    expect((await readdir(join(folder, ATTEMPT))).toSorted()).toEqual([
      'round-1.jsonl',
      'round-1.prompt.md',
      'round-2.jsonl',
    ])
    expect(await read('round-1.prompt.md')).toBe('Do it.\n')
    expect(await readPrompt(folder, ATTEMPT, 1)).toBe('Do it.')
    expect(await readPrompt(folder, ATTEMPT, 2)).toBeNull()
    expect(await read('round-1.jsonl')).toBe(Array.from({ length: 1000 }, (_, n) => `{"n":${n}}\n`).join(''))
    expect(await read('round-2.jsonl')).toBe('ü 漢\n')
  })

  test('go on after they were closed, and after a restart', async () => {
    const transcripts = fileTranscripts(folder)
    transcripts.close(ATTEMPT)
    transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'one' })
    transcripts.close(ATTEMPT)
    transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'two' })
    transcripts.close(ATTEMPT)
    const restarted = fileTranscripts(folder)
    restarted.write(ATTEMPT, 1, { kind: 'line', text: 'three' })
    restarted.close(ATTEMPT)
    expect(await read('round-1.jsonl')).toBe('one\ntwo\nthree\n')
  })

  test('end with a line that says so when they reach their limit, and never exceed it', async () => {
    const transcripts = fileTranscripts(folder, { sizeMax: 1000 })
    for (let line = 0; line < 50; line += 1) transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'ü'.repeat(20) })
    transcripts.close(ATTEMPT)
    transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'small' })
    transcripts.close(ATTEMPT)
    const lines = (await read('round-1.jsonl')).trimEnd().split('\n')
    expect((await read('round-1.jsonl')).endsWith('\n')).toBe(true)
    expect(Buffer.byteLength(await read('round-1.jsonl'))).toBeLessThanOrEqual(1000)
    expect(lines.length).toBeGreaterThan(15)
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      kind: 'longhaul-note',
      text: 'This transcript ends here: it has reached its limit of 1000 bytes.',
    })
    expect(new Set(lines.slice(0, -1))).toEqual(new Set(['ü'.repeat(20)]))
  })

  test('lose lines while the disk fails, say how many, and go on', async () => {
    // A folder where the file should be makes every write fail.
    const blocker = join(folder, ATTEMPT, 'round-1.jsonl')
    await mkdir(blocker, { recursive: true })
    const transcripts = fileTranscripts(folder)
    transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'lost' })
    transcripts.close(ATTEMPT)
    transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'lost' })
    transcripts.close(ATTEMPT)
    await rmdir(blocker)
    transcripts.write(ATTEMPT, 1, { kind: 'line', text: 'kept' })
    transcripts.close(ATTEMPT)
    const [, note, line] = (await read('round-1.jsonl')).split('\n')
    expect(JSON.parse(note ?? '').text).toBe('2 entries are missing here: the disk failed.')
    expect(line).toBe('kept')
  })

  test('never throw, whatever lies in the way', async () => {
    await writeFile(join(folder, ATTEMPT), '')
    const transcripts = fileTranscripts(folder)
    transcripts.write(ATTEMPT, 1, { kind: 'prompt', text: 'lost' })
    expect(transcripts.close(ATTEMPT)).toBeUndefined()
  })
})

function read(name: string): Promise<string> {
  return readFile(join(folder, ATTEMPT, name), 'utf8')
}
