import { existsSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { SOON } from './patience.ts'

const HOUR_MS = 3_600_000

/** Starts something with a time limit of an hour, and lets the hour pass at once when a file is there. */
export async function afterTimeout<T>(file: string, start: (timeoutMs: number) => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const started = start(HOUR_MS)
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), SOON)
    vi.advanceTimersByTime(HOUR_MS)
    return await started
  } finally {
    vi.useRealTimers()
  }
}
