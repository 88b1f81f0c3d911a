import { expect, test } from 'vitest'
import { type SandboxPlaces, viewOf } from './view.ts'

const PLACES: SandboxPlaces = {
  homes: ['/home', '/root'],
  hidden: ['/home/ann/.state', '/home/ann/project', '/srv/checkout'],
  temporary: ['/tmp', '/run'],
  secrets: ['/etc/shadow'],
  shown: ['/home/ann/project/.git/objects', '/home/ann/.nvm'],
  writable: ['/home/ann/.state/t1-a1/tree', '/home/ann/.state/.own/t1-a1/home'],
  strictRoots: ['/usr', '/etc/ssl'],
}

/** Says how a path looks: the deepest mount above it decides. */
function lookOf(path: string, mounts: ReturnType<typeof viewOf>): string {
  const covering = (mounts ?? []).filter((mount) => mount.path === '/' || `${path}/`.startsWith(`${mount.path}/`))
  return covering.at(-1)?.as ?? 'missing'
}

test.each([
  ['/usr/bin/node', 'read', 'read'],
  ['/etc/passwd', 'read', 'missing'],
  ['/etc/shadow', 'blank', 'blank'],
  ['/srv/data', 'read', 'missing'],
  ['/tmp/x', 'private', 'private'],
  ['/root/.ssh/id', 'hidden', 'hidden'],
  ['/home/bob/.ssh/id', 'hidden', 'hidden'],
  ['/home/ann/.ssh/id', 'hidden', 'hidden'],
  ['/home/ann/.state/.own/t1-a1/home/.cache', 'write', 'write'],
  ['/home/ann/.state/.own/t1-a1/pids', 'hidden', 'hidden'],
  ['/home/ann/.nvm/node', 'read', 'read'],
  ['/home/ann/project/.env', 'hidden', 'hidden'],
  ['/home/ann/project/.git/objects/ab', 'read', 'read'],
  ['/home/ann/.state/t1-a1/tree/a', 'write', 'write'],
  ['/home/ann/.state/t2-a1/tree/a', 'hidden', 'hidden'],
  ['/srv/checkout/other', 'hidden', 'hidden'],
])('%s is %s at standard, %s at strict', (path, standard, strict) => {
  expect([lookOf(path, viewOf('standard', PLACES)), lookOf(path, viewOf('strict', PLACES))]).toEqual([standard, strict])
})

// A program could replace what leads to such a mount with a link, and bwrap would follow it.
test('no mount lies in a folder that a program can write', () => {
  const mounts = viewOf('standard', PLACES) ?? []
  const writable = mounts.filter((mount) => mount.as === 'write').map(({ path }) => `${path}/`)
  expect(mounts.filter(({ path }) => writable.some((folder) => path.startsWith(folder)))).toEqual([])
})

test('mounts come after those that contain them, and one path has one', () => {
  const paths = (viewOf('standard', { ...PLACES, writable: ['/home/ann/project', '/srv/checkout'] }) ?? []).map(
    (mount) => mount.path,
  )
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths.filter((path, at) => paths.slice(0, at).some((earlier) => earlier.startsWith(`${path}/`)))).toEqual([])
})

test('at trusted nothing is changed', () => {
  expect(viewOf('trusted', PLACES)).toBe(null)
})
