import { test } from 'vitest'
import { taskFile } from './task-file.ts'

const cases: [string, string][] = [
  ['a.yaml', ''],
  ['a.yaml', '# only a comment\n'],
  ['a.yaml', 'hello'],
  ['a.yaml', 'services:\n  web: {}\nversion: 3\n'],
  ['a.yaml', 'taks:\n  - {id: a, title: A}\n'],
  ['a.yaml', 'tasks: []'],
  [
    'a.yaml',
    'tasks:\n  - id: a\n    titel: x\n    weight: smal\n  - title: b\n  - id: c d\n    title: 404\n    after: a\n    priority: 1.5\n    verify: [1, ""]\n',
  ],
  ['a.yaml', 'tasks:\n  - id: a\n   title: x\n'],
  ['a.yaml', 'tasks:\n\t- id: a\n'],
  ['a.yaml', '- id: 1.10\n  title: A: b\n'],
  ['a.yaml', '- {id: 1.10, title: A}\n- {id: 007, title: yes, after: [1.10]}\n- {id: 5, title: B, after: [007]}'],
  [
    'a.yaml',
    '- {id: a, title: A, after: [b]}\n- {id: b, title: A, after: [a]}\n- {id: A, title: q, after: [A, x, aa]}\n- {id: a, title: again, milestone: m}',
  ],
  [
    'a.yaml',
    'milestones: [{id: m1},{id: m2}]\ntasks:\n - {id: a, title: A, milestone: m1, after: [b]}\n - {id: b, title: B, milestone: m2}\n - {id: c, title: c, after: [m1]}',
  ],
  ['a.json', '{"tasks": [{"id": "a",}]}'],
  ['a.json', '{"tasks": [\n  {"id": b}]}'],
  ['a.json', '{"tasks": ['],
  ['a.json', '{"id":"a"}\n{"id":"b"}'],
  ['a.json', '{\n "tasks": [\n  {\n   "id": "a",\n   "titel": "x", "weight": "hge"}]}'],
  [
    'a.jsonl',
    '{"id":"a","title":"A"}\n\n{"id":"b" "title":"B"}\n{"milestones":[{"id":"m"}]}\n[1]\n{"id":"c","title":"C","milestone":"n","x":1}',
  ],
  [
    'a.md',
    '# Tasks\n\n- [ ] a: Title one: more (after: b)\n  Brief here\n\n    code\n  end\n- [x] b: done (after: zz)\n  old\n* [ ] c: C\n',
  ],
  ['a.md', '- [ ] no id\n- [] x: y\n- [ ] a b: t\n- [link](x)\n- [ ] d:\n'],
  ['a.md', '- [x] a: b'],
  ['a.md', 'hello'],
  ['a.txt', '<!DOCTYPE html>\n<html>'],
  ['a', '\0\0'],
  ['tasks', '{"id":"a","title":"A"}\n{"id":"b","title":"B"}'],
  ['a.yaml', 'tasks:\n  - &x {id: a, title: A}\n  - *x\n  - <<: *x\n    id: q\n'],
  ['a.yaml', 'tasks: {a: {title: x}}\n'],
  ['a.yaml', 'tasks:\n- id: a\n  id: b\n  title: c\n'],
  ['a.yaml', 'a: 1\n---\nb: 2\n'],
  ['a.yaml', 'tasks: !!foo [ {id: a, title: b} ]'],
]
test('x', () => {
  for (const [n, t] of cases) {
    console.log('-----', n, JSON.stringify(t))
    const r = taskFile.read(n, t)
    if (Array.isArray(r)) for (const p of r) console.log(p.code, '|', p.message, '|', p.hint)
    else console.log(JSON.stringify(r))
  }
})
