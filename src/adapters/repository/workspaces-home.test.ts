import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setAside } from './workspaces-home.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-home-'))
  mkdirSync(join(root, 'app-1/.own/x'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true }))

test('workspaces of an earlier repository are renamed, one beside the other', () => {
  writeFileSync(join(root, 'app-1/.own/x/setup-1.log'), 'x')
  mkdirSync(join(root, 'app-1.before-1'))
  expect(setAside(join(root, 'app-1'))).toBeNull()
  expect(existsSync(join(root, 'app-1'))).toBe(false)
  expect(existsSync(join(root, 'app-1.before-2/.own/x/setup-1.log'))).toBe(true)
})

test('folders without files are removed', () => {
  expect(setAside(join(root, 'app-1'))).toBeNull()
  expect(['app-1', 'app-1.before-1'].filter((name) => existsSync(join(root, name)))).toEqual([])
})
