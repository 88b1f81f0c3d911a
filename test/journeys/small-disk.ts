import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own. */
export interface SmallDisk {
  readonly folder: string
  remove(): void
}

/** Mounts a small disk. */
export function mountDisk(size: string): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul disk '))
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder)
  return {
    folder,
    remove() {
      unmount(folder)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Makes a folder read-only for everybody who opens a file in it from now on; returns a function that ends that. */
export function coverReadOnly(folder: string): () => void {
  mount('--bind', folder, folder)
  mount('-o', 'remount,ro,bind', folder)
  return () => unmount(folder)
}

/** True when this user may mount disks. */
export function canMount(): boolean {
  try {
    mountDisk('64k').remove()
    return true
  } catch {
    return false
  }
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'ignore' })
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}
