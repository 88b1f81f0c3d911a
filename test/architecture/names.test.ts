import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesUnder, isTest, root } from './source.ts'

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const VAGUE = 'manager service handler helper util common misc processor data info base v2'.split(' ')

const files = ['src', 'test', 'bench', 'scripts'].flatMap(filesUnder)

describe('file and folder names', () => {
  test('are kebab-case and say what is inside', () => {
    expect(files.flatMap(nameComplaints)).toEqual([])
  })
})

describe('exported type names', () => {
  test('are unique, so that one word means one thing', () => {
    const sources = filesUnder('src').filter((path) => path.endsWith('.ts') && !isTest(path))
    const typesOf = (path: string) => exportedTypes(readFileSync(join(root, path), 'utf8'))
    expect(usedTwice(sources.flatMap((path) => typesOf(path).map((name) => ({ name, path }))))).toEqual([])
  })

  test('are noticed when two files export the same one', () => {
    const [first] = exportedTypes('export interface Work {}\nexport type Words = string\nclass Hidden {}')
    const names = [first ?? '', 'Other', 'Work'].map((name, index) => ({ name, path: `src/${index}.ts` }))
    expect(usedTwice(names)).toEqual(['Work: src/0.ts, src/2.ts'])
  })
})

describe('the scanner notices', () => {
  test.each(['src/core/readyTasks.ts', 'src/Core/ready.ts', 'test/ready_tasks.test.ts'])('case: %s', (path) => {
    expect(nameComplaints(path)).toEqual([`${path} is not kebab-case`])
  })

  test.each(['src/core/task-manager.ts', 'src/utils/list.ts', 'src/git/merge-helper.test.ts', 'bench/run-v2.ts'])(
    'vagueness: %s',
    (path) => {
      expect(nameComplaints(path)).toEqual([expect.stringMatching(/ says nothing$/)])
    },
  )

  test.each(['src/adapters/stores/database.ts', 'src/git/merge-tree.test.ts', 'test/ledgers/0001.jsonl'])(
    'nothing wrong with %s',
    (path) => {
      expect(nameComplaints(path)).toEqual([])
    },
  )
})

function nameComplaints(path: string): string[] {
  const parts = path.replace(/(\.test)?\.[a-z]+$/, '').split('/')
  if (!parts.every((part) => KEBAB_CASE.test(part))) return [`${path} is not kebab-case`]
  const words = parts.flatMap((part) => part.split('-'))
  return words.filter((word) => VAGUE.includes(word.replace(/s$/, ''))).map((word) => `${path}: "${word}" says nothing`)
}

function exportedTypes(text: string): readonly string[] {
  return [...text.matchAll(/^export (?:interface|type|class) (\w+)/gm)].flatMap(([, name]) => name ?? [])
}

function usedTwice(names: readonly { readonly name: string; readonly path: string }[]): readonly string[] {
  const unique = [...new Set(names.map(({ name }) => name))]
  return unique.flatMap((name) => {
    const paths = names.filter((entry) => entry.name === name).map(({ path }) => path)
    return paths.length > 1 ? [`${name}: ${paths.join(', ')}`] : []
  })
}
