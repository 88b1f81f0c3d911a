import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns a folder for temporary files in memory, or the usual one where memory is short or runs no programs. */
export function memoryFolder(usual: string = tmpdir(), inMemory = '/dev/shm'): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= FREE_BYTES_MIN && runsPrograms(inMemory) ? inMemory : usual
  } catch {
    // The folder is missing or cannot be written: another system, or a container without it.
    return usual
  }
}

const FREE_BYTES_MIN = 2 ** 31

function runsPrograms(parent: string): boolean {
  const folder = mkdtempSync(join(parent, 'longhaul-program-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    // Containers often mount it noexec.
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
