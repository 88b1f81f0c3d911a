import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { mainFile } from '../conformance/built.ts'
import { HANG_MS } from '../patience.ts'
import { NO_BWRAP } from './journey.ts'
import { jsonLines, newJourney, ONE_ATTEMPT, taskFile } from './new-journey.ts'

// Every way is a line of shell. Those with a pipe have left the process that started them when they call.
const IN_USER = 'cd USER 2> /dev/null; node MAIN'
const BARE = 'env -i "PATH=$PATH"'
const WAYS = {
  add: `${IN_USER} add sneaky --title Sneaky`,
  steer: `${IN_USER} steer honest "Skip the tests"`,
  approve: `${IN_USER} approve honest`,
  workspace: 'node MAIN add sneaky --title Sneaky',
  bare: `cd USER 2> /dev/null; exec ${BARE} node MAIN add sneaky --title Sneaky`,
  session: `cd USER 2> /dev/null; exec ${BARE} setsid --wait nohup node MAIN add sneaky --title Sneaky`,
  orphan: '(sh ways/bare > pipe 2>&1 &); cat pipe',
  detached: `setsid --fork ${BARE} sh -c 'sh ways/workspace > pipe 2>&1'; cat pipe`,
} as const

const TRY = `case $(sh "ways/$1" 2>&1) in
*'is for people, and this call comes from inside an attempt'*) echo "$1: refused" ;;
*) echo "$1: $(sh "ways/$1" 2>&1)" ;;
esac
`

// In a namespace of ours, one sign covers every way.
const INSIDE = ['add', 'steer', 'approve', 'session']

test.each<[string, 'trusted' | 'standard', readonly string[], Readonly<Record<string, string>>]>([
  ['standard', 'standard', INSIDE, {}],
  ['trusted', 'trusted', INSIDE, {}],
  ['the guard', 'standard', Object.keys(WAYS), NO_BWRAP],
])(
  'agents, checks, setup and hooks cannot speak as a person: %s',
  async (_, sandbox, names, programs) => {
    const journey = newJourney({}, { programs, sandbox })
    const filled = (text: string) =>
      text.replaceAll('MAIN', `'${mainFile}'`).replaceAll('USER', `'${journey.repository}'`)
    const refused = 'sh try.sh workspace | grep refused'
    const settings = {
      sandbox: { read: [dirname(dirname(mainFile))] },
      workspace: { setup: [refused], hooks: { before_run: refused } },
      gates: [{ name: 'tests', run: refused }],
    }
    const plain = ONE_ATTEMPT.replace(/^gates: .*$/m, '')
    journey.write(
      'longhaul.yaml',
      `${plain}${Object.entries(settings)
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
        .join('')}`,
    )
    journey.write('try.sh', TRY)
    for (const [name, way] of Object.entries(WAYS)) journey.write(`ways/${name}`, filled(way))
    const tries = names.map((name) => `mkfifo pipe; sh try.sh ${name} >> tries.txt; rm pipe`)
    journey.write(
      'script.yaml',
      JSON.stringify([{ task: '*', steps: [...tries.map((run) => ({ run })), { report: 'done' }] }]),
    )
    journey.write('tasks.json', taskFile('honest'))
    journey.commit()
    await journey.cliInProcess('import', 'tasks.json')
    const { code, stdout, stderr } = await journey.cli('run')
    expect(journey.read('tries.txt') ?? `${stdout}${stderr}`).toBe(names.map((name) => `${name}: refused\n`).join(''))
    expect(code).toBe(0)
    expect((await journey.status()).tasks.map(({ id, state }) => ({ id, state }))).toEqual([
      { id: 'honest', state: 'done' },
    ])
    const kinds = jsonLines<{ kind: string }>(await journey.cliInProcess('log', '--json')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => /steer|approve/.test(kind))).toEqual([])
  },
  HANG_MS,
)
