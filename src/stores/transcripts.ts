import { appendFile, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AttemptId } from '../core/model/ids.ts'
import type { TranscriptEntry, Transcripts } from '../ports/transcripts.ts'

const SIZE_MAX = 50_000_000

/** Transcripts as files, `ATTEMPT/round-N.jsonl` and `ATTEMPT/round-N.prompt.md`; a full disk costs lines, never a call. */
export function fileTranscripts(folder: string, { sizeMax = SIZE_MAX } = {}): Transcripts {
  const files = new Map<AttemptId, Map<string, TranscriptFile>>()

  return {
    write(attempt, round, entry) {
      const ofAttempt = files.get(attempt) ?? new Map<string, TranscriptFile>()
      files.set(attempt, ofAttempt)
      const name = fileName(round, entry.kind)
      const file = ofAttempt.get(name) ?? newFile(join(folder, attempt, name), sizeMax)
      ofAttempt.set(name, file)
      file.waiting.push(entry.text)
      file.writing ??= writeOut(file)
    },
    async flush(attempt) {
      const ofAttempt = files.get(attempt)
      for (const [name, file] of ofAttempt ?? []) {
        while (file.writing) await file.writing
        // What has nothing to remember can be looked up on the disk again.
        if (!file.isCapped && file.dropped === 0) ofAttempt?.delete(name)
      }
      if (ofAttempt?.size === 0) files.delete(attempt)
    },
  }
}

/** The prompt of a round, as it was sent; null: it was removed. */
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
  readonly waiting: string[]
  /** Under way while there is something to write. */
  writing: Promise<void> | null
  /** Bytes in the file; null until looked up. */
  size: number | null
  isCapped: boolean
  /** Entries lost to a failing disk since the last note about it. */
  dropped: number
}

function newFile(path: string, sizeMax: number): TranscriptFile {
  return { path, sizeMax, waiting: [], writing: null, size: null, isCapped: false, dropped: 0 }
}

function fileName(round: number, kind: TranscriptEntry['kind']): string {
  return `round-${round}.${kind === 'prompt' ? 'prompt.md' : 'jsonl'}`
}

/** Writes what waits, and what comes to wait meanwhile, one piece after another. */
async function writeOut(file: TranscriptFile): Promise<void> {
  while (file.waiting.length > 0) {
    const entries = file.waiting.splice(0)
    try {
      file.size ??= await makeReady(file.path)
      await appendAll(file, entries)
    } catch {
      // The disk is full or gone. The ledger does not depend on transcripts: remember how much is missing, and go on.
      file.dropped += entries.length
      file.size = null
    }
  }
  file.writing = null
}

async function makeReady(path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true })
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function appendAll(file: TranscriptFile, entries: readonly string[]): Promise<void> {
  if (file.isCapped) return
  const last = note(file, `This transcript ends here: it has reached its limit of ${file.sizeMax} bytes.`)
  // The write that failed may have left half a line.
  const gap = file.dropped > 0 ? [`\n${note(file, `${file.dropped} entries are missing here: the disk failed.`)}`] : []
  const wanted = [...gap, ...entries]
  const fitting = thoseThatFit(wanted, file.sizeMax - (file.size ?? 0) - byteLength(last))
  const isCapped = fitting.length < wanted.length
  const bytes = Buffer.from([...fitting, ...(isCapped ? [last] : [])].map((line) => `${line}\n`).join(''))
  await appendFile(file.path, bytes)
  file.size = (file.size ?? 0) + bytes.length
  file.isCapped = isCapped
  file.dropped = 0
}

function thoseThatFit(lines: readonly string[], room: number): readonly string[] {
  let left = room
  const tooMuch = lines.findIndex((line) => {
    left -= byteLength(line)
    return left < 0
  })
  return tooMuch < 0 ? lines : lines.slice(0, tooMuch)
}

function byteLength(line: string): number {
  return Buffer.byteLength(line) + 1
}

function note({ path }: TranscriptFile, text: string): string {
  return path.endsWith('.jsonl') ? JSON.stringify({ kind: 'longhaul-note', text }) : `[Longhaul: ${text}]`
}
