import { expect, test } from 'vitest'
import { refusalSchema, SHAPES } from '../../src/index.ts'
import { jsonLines, newJourney, taskFile } from './new-journey.ts'

type Shape = keyof typeof SHAPES

/** Each verb with its arguments, in an order in which every verb has something to do. */
const COMMANDS: readonly (readonly [verb: Shape, ...args: readonly string[]])[] = [
  ['init', '--dry-run'],
  ['config show'],
  ['config validate'],
  ['config explain', 'gates'],
  ['config workflows'],
  ['config prompts'],
  ['config schema'],
  ['doctor'],
  ['add', 'a', '--title', 'First'],
  ['import', 'tasks.json'],
  ['pause'],
  ['resume'],
  ['steer', 'a', 'Be brief.'],
  ['skip', 'c'],
  ['stop', 'b'],
  ['retry', 'b'],
  ['show', 'a', '--prompt'],
  ['run', '--dry-run'],
  ['run'],
  ['status'],
  ['show', 'a'],
  ['show', '--knowledge'],
  ['show', 'a', '--prompt'],
  ['diff', 'a'],
  ['log'],
  ['verify', 'a'],
  ['backup', '../backup.db'],
  ['export', '../exported'],
  ['gc'],
  ['revert', 'a'],
  ['stop'],
]

/** Verbs that run until they are ended, take long, or need work that waits for a person; their own tests parse their output. */
const ELSEWHERE: readonly Shape[] = ['answer', 'approve', 'demo', 'lab', 'recover', 'reject', 'watch']

test('every verb prints its documented shape', async () => {
  const journey = newJourney()
  journey.write('tasks.json', taskFile('b', 'c'))
  for (const [verb, ...args] of COMMANDS) {
    const ran = await journey.cli(...verb.split(' '), ...args, '--json')
    const issues = jsonLines(ran).flatMap((document) => SHAPES[verb].safeParse(document).error?.issues ?? [])
    expect({ verb, code: ran.code, issues }).toEqual({ verb, code: 0, issues: [] })
  }
  expect([...new Set([...COMMANDS.map(([verb]) => verb), ...ELSEWHERE])].toSorted()).toEqual(
    Object.keys(SHAPES).toSorted(),
  )
  const refused = await journey.cliInProcess('show', 'nope', '--json')
  expect(refusalSchema.parse(jsonLines(refused)[0]).problem.code).toBe('unknown-task')
})

test('show and diff print a task that landed, and a task whose work did not land', async () => {
  const script = `- { task: red, steps: [ { write: { path: red, text: "x" } }, { report: done } ] }
- { task: "*", steps: [ { write: { path: new.txt, text: "new\\n" } }, { report: done } ] }
`
  const settings = `agent: { driver: scripted, script: script.yaml }
gates: [ { name: tests, run: "test ! -e red" } ]
limits: { attempts: 1, error_delay: 0, limit_delay: 0 }
`
  const journey = newJourney({ 'longhaul.yaml': settings, 'script.yaml': script })
  journey.write('tasks.json', taskFile('good', 'red'))
  await journey.cliInProcess('import', 'tasks.json')
  const first = await journey.cliInProcess('show', 'good', '--prompt')
  expect(first).toMatchObject({ code: 0, stderr: 'Will be sent first:\n' })
  expect((await journey.cli('run')).code).toBe(1)

  const sent = await journey.cliInProcess('show', 'good', '--prompt')
  expect(sent.stderr).toMatch(/^Sent in round 1 of good-a1, /)
  expect(sent.stdout).toBe(first.stdout)
  expect((await journey.cliInProcess('show', 'good')).stdout).toMatch(
    /Attempt good-a1: landed.*\n(?:.*\n)*.*proof: gates: tests/,
  )
  expect((await journey.cliInProcess('diff', 'good')).stdout).toContain('+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n')

  const red = (await journey.cliInProcess('show', 'red')).stdout
  expect(red).toMatch(/Attempt red-a1: failed.*\n(?:.*\n)*.*tests: test ! -e red → exit code 1/)
  expect(red).toContain('Run "longhaul retry red" to try again; "longhaul show red --dossier" shows')
  expect((await journey.cliInProcess('diff', 'red', '--stat')).stdout).toContain('1 file changed, 1 insertion(+)')
})
