import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { borrowedObjects } from './borrowed-objects.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul gït ')))
})
afterEach(() => rmSync(folder, { recursive: true }))

function borrow(objects: string, text: string): void {
  const file = join(folder, objects, 'info/alternates')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

test('folders of objects are followed through alternates and submodules, each once', () => {
  borrow('take/objects', `${folder}/user\n`)
  borrow('user', `# shared\n../more\n"${folder}/odd\\nname"\n`)
  borrow('more', `${folder}/user\n`)
  borrow('take/modules/lib/objects', `${folder}/lib\n`)
  borrow('take/modules/lib/modules/deep/objects', `${folder}/deep\n`)
  expect(borrowedObjects(join(folder, 'take'))).toEqual(
    ['user', 'more', 'odd\nname', 'lib', 'deep'].map((name) => join(folder, name)),
  )
})

test('a git folder that is missing borrows nothing', () => {
  expect(borrowedObjects(join(folder, 'none'))).toEqual([])
})
