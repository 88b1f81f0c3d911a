import { expect, test } from 'vitest'
import { refusalSchema, SHAPES } from '../../src/index.ts'
import { jsonLines, newJourney, taskFile } from './kit.ts'

type Shape = keyof typeof SHAPES

/** Each verb with what is typed after it, in an order in which all of them have something to do. */
const COMMANDS: readonly (readonly [verb: Shape, ...args: readonly string[]])[] = [
  ['init', '--dry-run'],
  ['config show'],
  ['config validate'],
  ['config explain', 'limits'],
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
  ['export', '../exported'],
  ['gc'],
  ['revert', 'a'],
  ['stop'],
]

/** These go on until they are ended, take long, or need work that waits for a person; their own tests parse what they print. */
const ELSEWHERE: readonly Shape[] = ['answer', 'approve', 'demo', 'lab', 'reject', 'watch']

test('every verb prints the shape that is documented for it', async () => {
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
  const refused = await journey.here('show', 'nope', '--json')
  expect(refusalSchema.parse(jsonLines(refused)[0]).problem.code).toBe('unknown-task')
})

test('show and diff tell of a task that landed, and of one that has work and did not', async () => {
  const script = `- { task: red, steps: [ { write: { path: red, text: "x" } }, { report: done } ] }
- { task: "*", steps: [ { write: { path: new.txt, text: "new\\n" } }, { report: done } ] }
`
  const settings = `agent: { driver: scripted, script: script.yaml }
gates: [ { name: tests, run: "test ! -e red" } ]
limits: { attempts: 1, error_delay: 0, limit_delay: 0 }
`
  const journey = newJourney({ 'longhaul.yaml': settings, 'script.yaml': script })
  journey.write('tasks.json', taskFile('good', 'red'))
  await journey.here('import', 'tasks.json')
  const first = await journey.here('show', 'good', '--prompt')
  expect(first).toMatchObject({ code: 0, stderr: 'This will be sent first:\n' })
  expect((await journey.cli('run')).code).toBe(1)

  const sent = await journey.here('show', 'good', '--prompt')
  expect(sent.stderr).toMatch(/^Sent in round 1 of good-a1, /)
  expect(sent.stdout).toBe(first.stdout)
  expect((await journey.here('show', 'good')).stdout).toMatch(
    /Attempt good-a1: landed.*\n(?:.*\n)*.*proof: gates: tests/,
  )
  expect((await journey.here('diff', 'good')).stdout).toContain('+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n')

  const red = (await journey.here('show', 'red')).stdout
  expect(red).toMatch(/Attempt red-a1: failed.*\n(?:.*\n)*.*tests: test ! -e red → exit code 1/)
  expect(red).toContain('Run "longhaul retry red" to try it again; "longhaul show red --dossier" tells')
  expect((await journey.here('diff', 'red', '--stat')).stdout).toContain('1 file changed, 1 insertion(+)')
})
