import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROBLEMS } from '../../src/core/model/problem-codes.ts'
import { filesUnder, isTest, root } from '../architecture/source.ts'
import { helpPages } from './terminal.ts'

const CATALOGUE = 'src/core/model/problem-codes.ts'
const program = filesUnder('src').filter((path) => path.endsWith('.ts') && !isTest(path))
const documents = ['README.md', 'AGENTS.md', ...filesUnder('docs').filter((path) => path.endsWith('.md'))]

test('docs/problems.md says what the catalogue says', async () => {
  await expect(problemsPage()).toMatchFileSnapshot('../../docs/problems.md')
})

test('every code of the catalogue is used, and none is listed twice', () => {
  const source = program.filter((path) => path !== CATALOGUE).map(textOf)
  // Backlog faults get the code `task-` followed by their kind.
  const isUsed = (code: string) =>
    source.some((text) => text.includes(`'${code}'`) || text.includes(`kind: '${code.replace(/^task-/, '')}'`))
  const codes = Object.values(PROBLEMS).flatMap((area) => Object.keys(area))
  expect(codes.filter((code) => !isUsed(code))).toEqual([])
  expect(codes).toHaveLength(new Set(codes).size)
})

test('every command that a message, a hint or a document names exists, with its options', async () => {
  const pages = await helpPages()
  const wrong = [...program, ...documents].flatMap((path) =>
    commandsIn(textOf(path)).flatMap(({ verb, part, options }) => {
      const page = pages.get(`${verb} ${part}`) ?? pages.get(verb)
      if (page === undefined) return [`${path}: there is no "longhaul ${verb}"`]
      return options.filter((option) => !page.includes(option)).map((option) => `${path}: longhaul ${verb} ${option}`)
    }),
  )
  expect(wrong).toEqual([])
})

test('commands are found in texts', () => {
  expect(commandsIn('Run "longhaul retry X", or longhaul log --task X, or longhaul log --json.')).toEqual([
    { verb: 'retry', part: '', options: [] },
    { verb: 'log', part: '', options: ['--task'] },
    { verb: 'log', part: '', options: ['--json'] },
  ])
  expect(commandsIn('`longhaul config show --source`')).toEqual([
    { verb: 'config', part: 'show', options: ['--source'] },
  ])
  expect(commandsIn('a stopped longhaul process')).toEqual([])
})

interface Named {
  readonly verb: string
  /** Next word, which names a part when the verb has parts. */
  readonly part: string
  readonly options: readonly string[]
}

/** Finds the longhaul commands in a text. */
function commandsIn(text: string): readonly Named[] {
  return [...text.matchAll(/(?<=["'`(|$]|^|: |&& |, or )longhaul ([a-z]+)\b([^"'`&|,\n]*)/gm)].map(
    ([, verb = '', rest = '']) => ({
      verb,
      part: /^ ([a-z]+)\b/.exec(rest)?.[1] ?? '',
      options: rest.match(/(?<!\S)--[a-z-]+/g) ?? [],
    }),
  )
}

function problemsPage(): string {
  const areas = Object.entries(PROBLEMS).map(([area, codes]) => {
    const rows = Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
    return [`## ${area}`, '', '| code | meaning |', '|---|---|', ...rows].join('\n')
  })
  return `${[INTRODUCTION, ...areas].join('\n\n')}\n`
}

const INTRODUCTION = `# Problems

Longhaul reports a refusal or an expected failure as a problem: what happened, to what, and what to do next. With
\`--json\` a program gets \`{"problem": {"code", "message", "hint"}, "problems": […]}\`. Codes are stable; messages
and hints may change. A refusal ends with exit code 2.

This page is generated from \`${CATALOGUE}\` by \`npm run golden\`.`

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
