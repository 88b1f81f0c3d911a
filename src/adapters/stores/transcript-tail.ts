import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttemptId } from '../../core/model/ids.ts'
import type { TranscriptTail } from '../../ports/transcripts.ts'

const TAIL_BYTES = 64_000

/** Reads the end of an attempt's latest transcript; null when there is none. */
export async function transcriptTail(folder: string, attempt: AttemptId): Promise<TranscriptTail | null> {
  const round = await latestRound(join(folder, attempt))
  if (round === null) return null
  const file = await open(join(folder, attempt, `round-${round}.jsonl`)).catch(() => null)
  if (file === null) return { round, isCut: false, lines: [] }
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - TAIL_BYTES)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    // The first line is cut in the middle; the last one is empty or still being written.
    return { round, isCut: from > 0, lines: lines.slice(from > 0 ? 1 : 0, -1) }
  } finally {
    await file.close()
  }
}

async function latestRound(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => [])
  const rounds = names.flatMap((name) => /^round-(\d+)\./.exec(name)?.[1] ?? []).map(Number)
  return rounds.length === 0 ? null : Math.max(...rounds)
}
