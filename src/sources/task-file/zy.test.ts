import { test } from 'vitest'
import { stringify } from 'yaml'
import { taskFile } from './task-file.ts'

const n = 10000
const tasks = Array.from({ length: n }, (_, i) => ({
  id: `t-${i}`,
  title: `Task number ${i}: does a thing`,
  brief: `Line one of the brief ${i}.\nLine two: with more words, and so on for a while.\nThird.\n`,
  after: i ? [`t-${i - 1}`] : [],
  weight: 'small',
  type: 'testing',
  milestone: 'm1',
  priority: i % 5,
  acceptance: ['it works', 'it is tested'],
  verify: ['npm test'],
  files: [`src/a${i}.ts`],
}))
const ms = [{ id: 'm1', title: 'M' }]
const forms: Record<string, string> = {
  'a.yaml': stringify({ milestones: ms, tasks }),
  'a.json': JSON.stringify({ milestones: ms, tasks }, null, 2),
  'a.jsonl': [{ milestones: ms }, ...tasks].map((x) => JSON.stringify(x)).join('\n'),
  'bad.json': JSON.stringify({ milestones: ms, tasks: tasks.map((t) => ({ ...t, wieght: 1 })) }, null, 2),
  'bad.jsonl': tasks.map((x) => JSON.stringify({ ...x, after: ['zz' + x.id.repeat(8)] })).join('\n'),
  'a.md': tasks
    .map((t) => `- [ ] ${t.id}: ${t.title} (after: ${t.after.join(', ')})\n\n${t.brief.replace(/^/gm, '  ')}`)
    .join('\n'),
  'ring.jsonl': tasks.map((x, i) => JSON.stringify({ ...x, milestone: null, after: [`t-${(i + 1) % n}`] })).join('\n'),
}
test('speed', () => {
  for (const [n, t] of Object.entries(forms))
    for (const again of [1, 2]) {
      const at = performance.now()
      const r = taskFile.read(n, t)
      console.log(
        n,
        again,
        t.length,
        Math.round(performance.now() - at),
        'ms',
        Array.isArray(r) ? r.length + ' ' + r[0].message + ' ' + r.at(-1).message : r.tasks.length,
      )
    }
}, 60000)
