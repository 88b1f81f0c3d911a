import { describe, expect, test } from 'vitest'
import { taskFile } from './task-file.ts'

const NOTHING_ELSE = { tasks: new Set<string>(), milestones: new Set<string>() }

const SHAPE =
  'Write "tasks:" and a list of tasks with "id" and "title" (YAML, JSON), one task per line (JSONL), or a checklist.'
const ADD_ONE = 'Add at least one task with "id" and "title", in a checklist as "- [ ] id: title".'
const YAML_HINT = 'Text with ": ", " #" or quotes in it is best written below "|" or in double quotes.'
const JSON_HINT = 'Fix it there; JSON has no comments, no trailing commas and only double quotes.'
const LINES_HINT = 'Name a file with one JSON value per line ".jsonl"; in a ".json" file put all tasks into one list.'
const BOX_HINT = 'Write "- [ ] ", an id without spaces, a colon and a title; "- [x] " for a finished task.'
const TASK_KEYS = 'id, title, brief, after, weight, type, milestone, priority, acceptance, verify, files, may_change'

type Case = readonly [name: string, text: string, ...problems: string[]]

describe('a file that is not a task file', () => {
  const cases: readonly Case[] = [
    [
      't.yaml',
      ' \n',
      't.yaml: the file is empty. | Write tasks into it: a list "tasks:" of entries with "id" and "title".',
    ],
    ['t.md', '', 't.md: the file is empty. | Write tasks into it: a checklist "- [ ] id: title".'],
    ['t.yaml', '# later\n', `t.yaml: it contains no tasks. | ${ADD_ONE}`],
    ['t.yaml', 'tasks: []', `t.yaml: it contains no tasks. | ${ADD_ONE}`],
    ['t.yaml', 'milestones: [{id: m}]', `t.yaml: it contains no tasks. | ${ADD_ONE}`],
    ['t.md', '# Nothing\n', `t.md: it contains no tasks. | ${ADD_ONE}`],
    ['t.md', '- [x] a: A', 't.md: every task in it is ticked off. | Add a task as "- [ ] id: title".'],
    ['t.yaml', 'hello', `t.yaml:1: this is not a task file: it holds "hello". | ${SHAPE}`],
    ['t.json', '42', `t.json:1: this is not a task file: it holds 42. | ${SHAPE}`],
    [
      't.yaml',
      'services: { web: {} }\nversion: 3\n',
      `t.yaml:1: this is not a task file: it has no "tasks", only "services", "version". | ${SHAPE}`,
    ],
    ['t.yaml', '<!DOCTYPE html>\n', `t.yaml:1: this is not a task file: it is an HTML or XML page. | ${SHAPE}`],
    ['t', '\u0089PNG\0\0', `t: this is not a task file: it is binary, not text. | ${SHAPE}`],
    [
      't.md',
      '\n- [ ] a: caf\uFFFD',
      't.md:2: it contains characters that are not UTF-8. | Save the file as UTF-8 and import it again.',
    ],
  ]
  test.each(cases)('%s %j', expectProblems)
})

describe('text that cannot be read', () => {
  const cases: readonly Case[] = [
    [
      't.yaml',
      'tasks:\n  - id: a\n   title: x\n',
      `t.yaml:3: not valid YAML: Sequence item without - indicator. | Indent the keys of an entry alike.`,
    ],
    [
      't.yaml',
      'tasks:\n\t- id: a\n',
      `t.yaml:2: not valid YAML: Tabs are not allowed as indentation. | Indent with spaces.`,
    ],
    ['t.yaml', '- id: a\n  id: b\n', `t.yaml:2: not valid YAML: Map keys must be unique. | Remove one of them.`],
    ['t.yaml', 'tasks: []\n---\n', `t.yaml:2: not valid YAML: it has more than one document. | Remove the line "---".`],
    [
      't.yaml',
      `a: &a [x]\n${[...'bcdefghi'].map((c, n) => `${c}: &${c} [${`*${'abcdefgh'[n]},`.repeat(9)}]`).join('\n')}`,
      `t.yaml:1: not valid YAML: Excessive alias count indicates a resource exhaustion attack. | `,
    ],
    ['t.yaml', '- id: a\n  after: [b\n', 't.yaml:3: not valid YAML: a "[" before this is not closed. | Add the "]".'],
    [
      't.yaml',
      '- id: a: b\n',
      `t.yaml:1: not valid YAML: Nested mappings are not allowed in compact mappings. | ${YAML_HINT}`,
    ],
    [
      't.json',
      '{"tasks": [\n {"id": "a",}]}',
      `t.json:2: not valid JSON: expected a key in double quotes, got "}". | ${JSON_HINT}`,
    ],
    ['t.json', '{"tasks": [', `t.json:1: not valid JSON: expected a value, got the end. | ${JSON_HINT}`],
    ['t.json', 'tasks:\n', `t.json:1: not valid JSON: expected a value, got "tasks". | ${JSON_HINT}`],
    ['t.json', '{"id":"a"}\n{"id":"b"}\n', `t.json:2: not valid JSON: expected nothing more, got "{". | ${LINES_HINT}`],
    [
      't.jsonl',
      '{"id":"a","title":"A"}\n{"id":"b" "title":"B"}\n{\n',
      `t.jsonl:2: not valid JSON: expected "," or "}" after a value, got "\\"". | ${JSON_HINT}`,
      `t.jsonl:3: not valid JSON: expected a key in double quotes, got the end. | ${JSON_HINT}`,
    ],
    [
      't.md',
      '- [ ] no id\n- [] a: A\n-[ ] b: B\n',
      `t.md:1: expected "- [ ] id: title", got "- [ ] no id". | ${BOX_HINT}`,
      `t.md:2: expected "- [ ] id: title", got "- [] a: A". | ${BOX_HINT}`,
      `t.md:3: expected "- [ ] id: title", got "-[ ] b: B". | ${BOX_HINT}`,
    ],
  ]
  test.each(cases)('%s %j', expectProblems)
})

describe('entries that are not as they must be', () => {
  const cases: readonly Case[] = [
    ['t.yaml', 'taks:\n  - { id: a }\n', 't.yaml:1: unknown key "taks". | Write "tasks" instead.'],
    ['t.yaml', 'tasks: { a: A }', 't.yaml:1: tasks must be a list of tasks; got a map of keys. | '],
    [
      't.yaml',
      `tasks:
  - title: no id
  - id: a
    titel: A
    weight: smal
  - id: b
    title: 404
    after: a
    priority: 1.5
    verify: [ 1, "" ]
    colour: red
  - just words
`,
      't.yaml:2: id of task number 1 is missing; it must be text. | Add the key "id".',
      't.yaml:4: unknown key "titel" in task "a". | Write "title" instead.',
      't.yaml:5: weight of task "a" must be one of trivial, small, medium, large, greenfield; got "smal". | Write "small" instead.',
      't.yaml:7: title of task "b" must be text; got 404. | Put it in quotes: "404".',
      't.yaml:8: after of task "b" must be a list of task ids; got "a". | Write it as a list: ["a"].',
      't.yaml:9: priority of task "b" must be a whole number; got "1.5". | For example: priority: 1',
      't.yaml:10: verify[0] of task "b" must be text; got 1. | Put it in quotes: "1".',
      't.yaml:10: verify[1] of task "b" must be text that is not empty; got "". | ',
      `t.yaml:11: unknown key "colour" in task "b". | Known keys: ${TASK_KEYS}.`,
      't.yaml:12: task number 4 must be a task: a map with "id" and "title"; got "just words". | ',
    ],
    [
      't.yaml',
      '- { id: a, title: "a \\e[31mb" }\n',
      't.yaml:1: title of task "a" must be text without control characters; got "a \\u001b[31mb". | For example: title: "Fix the login form"',
    ],
    [
      't.yaml',
      '- id: a\n',
      't.yaml:1: title of task "a" is missing; it must be text that is not empty. | Add the key "title".',
    ],
    [
      't.jsonl',
      '{"id":"a","title":"A","verify":["x\\u0000"]}',
      't.jsonl:1: verify[0] of task "a" must be text without NUL; got "x\\u0000". | ',
    ],
    [
      't.yaml',
      '- { id: a, title: A }\n- id: b\n  title: B\n  after:\n    - a\n    - a\n    - x\n',
      't.yaml:7: task "b" comes after "x", but no task has that id. | Add that task, or remove "x" from "after".',
    ],
    [
      't.md',
      '- [ ] a:',
      't.md:1: title of task "a" must be text that is not empty; got "". | For example: title: "Fix the login form"',
    ],
    [
      't.json',
      '{\n "milestones": [{"id": "m", "titel": "M"}],\n "tasks": [\n  {"id": 1.5,\n   "title": "A",\n   "after": [\n    true]}]}',
      't.json:2: unknown key "titel" in milestone "m". | Write "title" instead.',
      't.json:4: id of task "1.5" must be text; got 1.5. | Put it in quotes: "1.5".',
      't.json:7: after[0] of task "1.5" must be text; got true. | Put it in quotes: "true".',
    ],
    [
      't.jsonl',
      '{"milestones": {"id": "m"}}\n\n{"id": "a", "title": "A", "x": 1}\n',
      't.jsonl:1: milestones must be a list of milestones; got a map of keys. | ',
      `t.jsonl:3: unknown key "x" in task "a". | Known keys: ${TASK_KEYS}.`,
    ],
  ]
  test.each(cases)('%s %j', expectProblems)
})

describe('a backlog that could not be worked through', () => {
  const cases: readonly Case[] = [
    [
      't.yaml',
      '- { id: a b, title: A }\n- { id: .., title: B }\n',
      't.yaml:1: "a b" cannot be the id of a task: an id is 1 to 64 letters, digits, ".", "_" or "-". | Write for example "a-b".',
      't.yaml:2: ".." cannot be the id of a task: an id is 1 to 64 letters, digits, ".", "_" or "-". | Write for example "task-2".',
    ],
    [
      't.jsonl',
      '{"id":"a","title":"A"}\n{"id":"b","title":"B"}\n{"id":"a","title":"C"}\n{"id":"B","title":"D"}',
      't.jsonl:3: two tasks have the id "a". | The first is on line 1. Give one of them another id.',
      't.jsonl:4: the tasks "b" and "B" differ only in upper and lower case, which some file systems do not distinguish. | Give one of them another id.',
    ],
    [
      't.md',
      '- [x] a: A\n- [ ] a: B\n',
      't.md:2: two tasks have the id "a". | The first is on line 1. Give one of them another id.',
    ],
    [
      't.yaml',
      `milestones: [ { id: alpha }, { id: beta, after: [ alfa ] } ]
tasks:
  - id: login
    title: L
    milestone: gamma
    after: [ login ]
  - id: logout
    title: O
    after:
      - logn
      - alpha
      - z
`,
      't.yaml:1: milestone "beta" comes after "alfa", but no milestone has that id. | Add that milestone, or remove "alfa" from "after".',
      't.yaml:5: task "login" belongs to "gamma", but no milestone has that id. | Add that milestone, or remove "gamma" from "milestone".',
      't.yaml:6: task "login" comes after itself. | Remove "login" from its "after".',
      't.yaml:10: task "logout" comes after "logn", but no task has that id. | Write "login" if that is meant.',
      't.yaml:11: task "logout" comes after "alpha", but no task has that id. | "alpha" is a milestone: name tasks in "after", or put this task into a later milestone.',
      't.yaml:12: task "logout" comes after "z", but no task has that id. | Add that task, or remove "z" from "after".',
    ],
    [
      't.yaml',
      '- { id: c, title: C, after: [ b ] }\n- { id: a, title: A, after: [ b ] }\n- { id: b, title: B, after: [ a ] }\n',
      't.yaml:2: these wait for each other, so none can start: a → b → a. | Remove one of these from the "after" of the one before it.',
    ],
    [
      't.yaml',
      'milestones: [ { id: m1 }, { id: m2 } ]\ntasks:\n  - { id: a, title: A, milestone: m1, after: [ b ] }\n  - { id: b, title: B, milestone: m2 }\n',
      't.yaml:3: these wait for each other, so none can start: a → b → milestone m2 → milestone m1 → a. | Milestones follow each other unless "after: []" says otherwise: move a task, or change an "after".',
    ],
    [
      't.yaml',
      '- { id: ok, weight: heavy }\n- { id: ok, title: B }\n- { id: k, title: K, weight: heavy, after: [ nope, k ] }\n- { id: ünï, title: U }\n',
      't.yaml:1: weight of task "ok" must be one of trivial, small, medium, large, greenfield; got "heavy". | For example: weight: small',
      't.yaml:1: title of task "ok" is missing; it must be text that is not empty. | Add the key "title".',
      't.yaml:2: two tasks have the id "ok". | The first is on line 1. Give one of them another id.',
      't.yaml:3: weight of task "k" must be one of trivial, small, medium, large, greenfield; got "heavy". | For example: weight: small',
      't.yaml:3: task "k" comes after "nope", but no task has that id. | Add that task, or remove "nope" from "after".',
      't.yaml:3: task "k" comes after itself. | Remove "k" from its "after".',
      't.yaml:4: "ünï" cannot be the id of a task: an id is 1 to 64 letters, digits, ".", "_" or "-". | Write for example "uni".',
    ],
    [
      't.yaml',
      '- { id: a, title: A, colour: red }\n- { id: b, title: B, after: [ a, c ] }\n',
      `t.yaml:1: unknown key "colour" in task "a". | Known keys: ${TASK_KEYS}.`,
      't.yaml:2: task "b" comes after "c", but no task has that id. | Add that task, or remove "c" from "after".',
    ],
  ]
  test.each(cases)('%s %j', expectProblems)

  test('is refused with its first 20 faults and the number of the others', () => {
    const lines = Array.from({ length: 33 }, (_, n) => `{"id":"t${n}","title":"T","x":1}`)
    const problems = problemsOf('t.jsonl', lines.join('\n'))
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('t.jsonl: and 13 more. | Fix these first; the rest is shown then.')
  })
})

function expectProblems(name: string, text: string, ...problems: readonly string[]): void {
  expect(problemsOf(name, text)).toEqual(problems)
}

function problemsOf(name: string, text: string): readonly string[] {
  const result = taskFile.read(name, text, NOTHING_ELSE)
  return 'tasks' in result ? [] : result.map(({ message, hint }) => `${message} | ${hint}`)
}
