import { randomUUID } from 'node:crypto'
import { closeSync, fchownSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Replaces a file in one step by one that only its owner can read; nothing is written through a link. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.${randomUUID()}`
  try {
    writeNew(temporary, text, lstatSync(path, { throwIfNoEntry: false }))
    renameSync(temporary, path)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

function writeNew(path: string, text: string, owner: { readonly uid: number; readonly gid: number } | undefined): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    // As root, for a user whose file it is.
    if (owner !== undefined && process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid)
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
