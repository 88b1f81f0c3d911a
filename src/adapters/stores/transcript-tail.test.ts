import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AttemptId } from '../../core/model/ids.ts'
import { transcriptTail } from './transcript-tail.ts'

const attempt = 't1-a1' as AttemptId

test('an attempt without a transcript has no tail', async () => {
  expect(await transcriptTail(folderWith({}), attempt)).toBeNull()
})

test('the latest round counts, whole lines only', async () => {
  const folder = folderWith({ 'round-2.jsonl': 'old\n', 'round-10.jsonl': 'a\nb\nhalf', 'round-10.prompt.md': 'do it' })
  expect(await transcriptTail(folder, attempt)).toEqual({ round: 10, isCut: false, lines: ['a', 'b'] })
})

test('a round that was prompted and has said nothing is there, and empty', async () => {
  const folder = folderWith({ 'round-1.prompt.md': 'do it' })
  expect(await transcriptTail(folder, attempt)).toEqual({ round: 1, isCut: false, lines: [] })
})

test('of a long transcript only the end is read, from the start of a line', async () => {
  const folder = folderWith({ 'round-1.jsonl': Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`).join('') })
  const tail = await transcriptTail(folder, attempt)
  expect(tail?.isCut).toBe(true)
  expect(tail?.lines.at(-1)).toBe('line 19999')
  expect(tail?.lines[0]).toMatch(/^line \d+$/)
  expect(tail?.lines.length).toBeLessThan(7_000)
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-tail-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const entries = Object.entries(files)
  if (entries.length > 0) mkdirSync(join(folder, attempt))
  for (const [name, text] of entries) writeFileSync(join(folder, attempt, name), text)
  return folder
}
