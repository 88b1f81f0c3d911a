import { describe, expect, test } from 'vitest'
import { filesUnder } from './source.ts'

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const VAGUE = 'manager service handler helper util common misc processor data info base v2'.split(' ')

const files = ['src', 'test', 'bench', 'scripts'].flatMap(filesUnder)

describe('file and folder names', () => {
  test('are kebab-case and say what is inside', () => {
    expect(files.flatMap(nameComplaints)).toEqual([])
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
