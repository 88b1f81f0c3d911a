import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileKnowledgePage } from './knowledge-page.ts'

test('the page is replaced as a whole, and nothing is left beside it', () => {
  const folder = temporaryFolder()
  const page = fileKnowledgePage(folder)
  page.write('one\ntwo\n')
  page.write('three\n')
  expect(readdirSync(folder)).toEqual(['knowledge.md'])
  expect(readFileSync(join(folder, 'knowledge.md'), 'utf8')).toBe('three\n')
})

test('where it cannot be written, nothing is thrown', () => {
  const page = fileKnowledgePage(join(temporaryFolder(), 'gone'))
  expect(() => page.write('one\n')).not.toThrow()
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-page-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
