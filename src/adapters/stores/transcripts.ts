import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AttemptId } from '../../core/model/ids.ts'
import type { TranscriptEntry, Transcripts } from '../../ports/transcripts.ts'

const SIZE_MAX = 50_000_000

/** Keeps transcripts in `ATTEMPT/round-N.jsonl` and `ATTEMPT/round-N.prompt.md`; a full disk drops lines, and no call fails. */
export function fileTranscripts(folder: string, { sizeMax = SIZE_MAX } = {}): Transcripts {
  const files = new Map<AttemptId, Map<string, TranscriptFile>>()

  return {
    write(attempt, round, entry) {
      const ofAttempt = files.get(attempt) ?? new Map<string, TranscriptFile>()
      files.set(attempt, ofAttempt)
      const name = fileName(round, entry.kind)
      const file = ofAttempt.get(name) ?? newFile(join(folder, attempt, name), sizeMax)
      ofAttempt.set(name, file)
      writeOrDrop(file, entry.text)
    },
    close(attempt) {
      const ofAttempt = files.get(attempt)
      for (const [name, file] of ofAttempt ?? []) {
        close(file)
        // A file without state of its own can be opened again.
        if (!file.isCapped && file.dropped === 0) ofAttempt?.delete(name)
      }
      if (ofAttempt?.size === 0) files.delete(attempt)
    },
  }
}

/** Reads the prompt of a round; null when it was removed. */
export async function readPrompt(folder: string, attempt: AttemptId, round: number): Promise<string | null> {
  const path = join(folder, attempt, fileName(round, 'prompt'))
  return readFile(path, 'utf8').then(
    (text) => text.replace(/\n$/, ''),
    () => null,
  )
}

interface TranscriptFile {
  readonly path: string
  readonly sizeMax: number
  /** Open file and its size, from the first entry until the round is over. */
  open: { readonly descriptor: number; size: number } | null
  isCapped: boolean
  /** Entries dropped since the last note about it. */
  dropped: number
}

function newFile(path: string, sizeMax: number): TranscriptFile {
  return { path, sizeMax, open: null, isCapped: false, dropped: 0 }
}

function fileName(round: number, kind: TranscriptEntry['kind']): string {
  return `round-${round}.${kind === 'prompt' ? 'prompt.md' : 'jsonl'}`
}

// Synchronous: a write to the page cache takes microseconds and survives our death.
function writeOrDrop(file: TranscriptFile, text: string): void {
  if (file.isCapped) return
  try {
    append(file, text)
  } catch {
    // The disk is full or gone. Nothing depends on transcripts, so count what is missing and go on.
    file.dropped += 1
    close(file)
  }
}

function append(file: TranscriptFile, text: string): void {
  file.open ??= openFile(file.path)
  const last = note(file, `This transcript ends here: it has reached its limit of ${file.sizeMax} bytes.`)
  // The failed write may have left half a line.
  const gap = file.dropped > 0 ? `\n${note(file, `${file.dropped} entries are missing here: the disk failed.`)}\n` : ''
  const entry = `${gap}${text}\n`
  const isCapped = Buffer.byteLength(entry) > file.sizeMax - file.open.size - Buffer.byteLength(last) - 1
  const bytes = Buffer.from(isCapped ? `${last}\n` : entry)
  const written = writeSync(file.open.descriptor, bytes)
  if (written < bytes.length) throw new Error('the write was incomplete')
  file.open.size += written
  file.isCapped = isCapped
  file.dropped = 0
}

function openFile(path: string): NonNullable<TranscriptFile['open']> {
  mkdirSync(dirname(path), { recursive: true })
  const descriptor = openSync(path, 'a')
  return { descriptor, size: fstatSync(descriptor).size }
}

function close(file: TranscriptFile): void {
  if (file.open !== null) closeSync(file.open.descriptor)
  file.open = null
}

function note({ path }: TranscriptFile, text: string): string {
  return path.endsWith('.jsonl') ? JSON.stringify({ kind: 'longhaul-note', text }) : `[Longhaul: ${text}]`
}
