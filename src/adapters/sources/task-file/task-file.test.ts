import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Backlog } from '../../../core/model/task.ts'
import { titleFault } from '../../../core/model/title.ts'
import { taskFile } from './task-file.ts'

const NOTHING_ELSE = { tasks: new Set<string>(), milestones: new Set<string>() }

const LEFT_OUT = {
  brief: '',
  after: [],
  weight: 'small',
  type: null,
  milestone: null,
  priority: 0,
  acceptance: [],
  verify: [],
  mayChange: [],
  files: [],
}

const FULL = {
  milestones: [
    { id: 'm1', title: 'First', brief: 'Why.', after: null },
    { id: 'm2', title: 'Second', brief: '', after: [] },
    { id: 'm3', title: 'Third', brief: '', after: ['m1', 'm2'] },
  ],
  tasks: [
    {
      ...LEFT_OUT,
      id: 'a',
      title: 'Do: a # thing',
      brief: 'One.\n\n  - two "quoted"\n',
      priority: -3,
      type: 'testing',
    },
    { ...LEFT_OUT, id: 'b', title: 'B', after: ['a'], weight: 'large', milestone: 'm1', acceptance: ['it works'] },
    {
      ...LEFT_OUT,
      id: 'c',
      title: 'C',
      milestone: 'm3',
      verify: ['npm test', 'make -s x'],
      files: ['src/c.ts'],
      mayChange: ['.github/**'],
    },
  ],
} as unknown as Backlog

describe('a task file', () => {
  test.each([
    ['YAML', 'tasks.yaml', stringify(written(FULL))],
    ['YAML, called .YML', 'TASKS.YML', stringify(written(FULL))],
    ['JSON', 'tasks.json', JSON.stringify(written(FULL), null, 2)],
    ['JSON lines', 'tasks.jsonl', jsonLines(FULL)],
    [
      'JSON lines of Windows, with a byte order mark',
      'tasks.ndjson',
      `\uFEFF${jsonLines(FULL).replaceAll('\n', '\r\n')}`,
    ],
    ['YAML without a known name', 'tasks', stringify(written(FULL))],
    ['JSON without a known name', 'tasks.txt', JSON.stringify(written(FULL), null, 2)],
    ['JSON lines without a known name', 'tasks.txt', jsonLines(FULL)],
  ])('in %s is read whole', (_, name, text) => {
    expect(taskFile.read(name, text, NOTHING_ELSE)).toEqual(FULL)
  })

  test.each([
    ['tasks.yaml', '- { id: a, title: A }\n'],
    ['tasks.json', '[{"id": "a", "title": "A"}]'],
    ['tasks.jsonl', '\n{"id": "a", "title": "A", "after": null, "weight": null}\n\n'],
    ['tasks.md', '- [ ] a: A\n'],
    ['tasks.txt', '# Plan\n- [ ] a: A\n'],
  ])('may be a bare list of tasks: %s', (name, text) => {
    expect(taskFile.read(name, text, NOTHING_ELSE)).toEqual({
      milestones: [],
      tasks: [{ ...LEFT_OUT, id: 'a', title: 'A' }],
    })
  })

  test('in YAML takes ids and titles as they are written', () => {
    const text =
      '- { id: 1.10, title: yes }\n- { id: 007, title: 1e3, after: [1.10] }\n- { id: 5, title: B, after: [5.0, 007] }\n- {id: 5.0, title: x}'
    expect(read('tasks.yaml', text).map(({ id, title, after }) => [id, title, after])).toEqual([
      ['1.10', 'yes', []],
      ['007', '1e3', ['1.10']],
      ['5', 'B', ['5.0', '007']],
      ['5.0', 'x', []],
    ])
  })

  test('may leave out a title where there is a brief', () => {
    const text = stringify([
      { id: 'a', brief: '\nFix the login.\nIt fails.' },
      { id: 'b', brief: 'word '.repeat(30) },
    ])
    expect(read('tasks.yaml', text).map(({ title }) => title)).toEqual(['Fix the login.', `${'word '.repeat(15)}word…`])
  })

  test('keeps titles on one line and names each dependency once', () => {
    const [, task] = read('tasks.jsonl', '{"id":"a","title":"A"}\n{"id":"b","title":" B\\n\\tc ","after":["a","a"]}')
    expect(task).toMatchObject({ title: 'B c', after: ['a'] })
  })

  test('may name more than 20 dependencies', () => {
    const ids = Array.from({ length: 30 }, (_, n) => `t${n}`)
    const tasks = [...ids.map((id) => ({ id, title: id })), { id: 'last', title: 'Last', after: ids }]
    expect(read('tasks.json', JSON.stringify(tasks)).at(-1)?.after).toEqual(ids)
  })

  test('of JSON lines survives a round trip', () => {
    const id = fc.stringMatching(/^[a-z0-9_-]{1,8}$/)
    const line = fc
      .stringMatching(/^\S(.*\S)?$/)
      .map((text) => text.replaceAll(/\s+/g, ' ').replaceAll(/[\0\uFFFD]/g, ''))
    const filled = line.filter((text) => /\S/.test(text) && text.trim() === text)
    const task = fc.record({
      title: filled.filter((text) => titleFault(text) === null),
      brief: fc.string().map((text) => text.replaceAll('\uFFFD', '')),
      weight: fc.constantFrom('trivial', 'small', 'medium', 'large', 'greenfield'),
      type: fc.option(filled),
      milestone: fc.constantFrom(null, 'm'),
      priority: fc.integer(),
      acceptance: fc.array(filled),
      verify: fc.array(filled),
      files: fc.array(filled),
      mayChange: fc.array(filled),
    })
    const backlog = fc.tuple(fc.uniqueArray(id), fc.array(task, { minLength: 1 })).map(([ids, tasks]) => ({
      milestones: [{ id: 'm', title: 'M', brief: '', after: null }],
      tasks: ids.flatMap((own, n) => (tasks[n] ? [{ ...tasks[n], id: own, after: ids.slice(0, n).slice(-2) }] : [])),
    }))
    fc.assert(
      fc.property(backlog, (given) => {
        fc.pre(given.tasks.length > 0)
        expect(taskFile.read('tasks.jsonl', jsonLines(given as unknown as Backlog), NOTHING_ELSE)).toEqual(given)
      }),
    )
  })

  test.each(['tasks.jsonl', 'tasks.json'])('of 10,000 tasks in a chain is read: %s', (name) => {
    const tasks = Array.from({ length: 10_000 }, (_, n) => ({
      id: `t${n}`,
      title: 'T',
      after: n === 0 ? [] : [`t${n - 1}`],
    }))
    const text = name.endsWith('l') ? tasks.map((task) => JSON.stringify(task)).join('\n') : JSON.stringify({ tasks })
    expect(read(name, text)).toHaveLength(10_000)
  })
})

describe('a Markdown checklist', () => {
  test('has ids, titles, dependencies, and briefs in the indented text', () => {
    const text = `# The plan
Some words.

- [ ] login: Sign in: by mail (after: schema, mail)
  Users sign in.

      code
  - [ ] a box that belongs to the brief

Words that belong to no task.
* [ ] schema: Tables
+ [ ] mail: Send mail (soon)
\tWith a tab.
- [a link](somewhere)
\`\`\`
- [ ] no: task, but an example
\`\`\`
`
    expect(taskFile.read('plan.md', text, NOTHING_ELSE)).toEqual({
      milestones: [],
      tasks: [
        {
          ...LEFT_OUT,
          id: 'login',
          title: 'Sign in: by mail',
          brief: 'Users sign in.\n\n    code\n- [ ] a box that belongs to the brief',
          after: ['schema', 'mail'],
        },
        { ...LEFT_OUT, id: 'schema', title: 'Tables' },
        { ...LEFT_OUT, id: 'mail', title: 'Send mail (soon)', brief: 'With a tab.' },
      ],
    })
  })

  test('leaves out finished tasks and dependencies on them', () => {
    const text = '- [x] a: A (after: long-gone)\n  Old.\n- [ ] b: B (after: a, c)\n- [X] c: C\n'
    expect(taskFile.read('plan.markdown', text, NOTHING_ELSE)).toEqual({
      milestones: [],
      tasks: [{ ...LEFT_OUT, id: 'b', title: 'B' }],
    })
  })
})

function read(name: string, text: string): Backlog['tasks'] {
  const backlog = taskFile.read(name, text, NOTHING_ELSE)
  if ('tasks' in backlog) return backlog.tasks
  throw new Error(backlog.map(({ message }) => message).join('\n'))
}

/** Returns a backlog with the keys that files use. */
function written({ milestones, tasks }: Backlog) {
  return { milestones, tasks: tasks.map(({ mayChange, ...task }) => ({ ...task, may_change: mayChange })) }
}

function jsonLines(backlog: Backlog): string {
  const { milestones, tasks } = written(backlog)
  return [{ milestones }, ...tasks].map((line) => JSON.stringify(line)).join('\n')
}

test('tasks may depend on existing ones', () => {
  const known = { tasks: new Set(['early']), milestones: new Set(['m0']) }
  const text = '- { id: a, title: A, after: [early], milestone: m0 }\n'
  expect(taskFile.read('t.yaml', text, known)).toMatchObject({
    tasks: [{ id: 'a', after: ['early'], milestone: 'm0' }],
  })
})
