import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { mainFile } from '../conformance/built.ts'
import { type Journey, openJourney, taskFile, WITHOUT_REVIEWS } from '../journeys/journey.ts'
import { type Bait, layBait } from './bait.ts'

/** Programs that run what an agent may have written. */
export const PURPOSES = ['agent', 'check', 'setup', 'hook'] as const
export type ProbedPurpose = (typeof PURPOSES)[number]

export const LEVELS = ['trusted', 'standard', 'strict'] as const
export type Level = (typeof LEVELS)[number]

/** Thing that the probe tried. */
export interface Tried {
  readonly what: string
  readonly outcome: 'refused' | 'harmless' | 'ESCAPED'
  readonly detail: string
}

/** Outcome of the probe at one level. */
export interface PlayedLevel {
  readonly tried: ReadonlyMap<ProbedPurpose, readonly Tried[]>
  /** Traces of the probe that were found outside of the sandbox. */
  readonly traces: readonly string[]
  readonly output: string
}

/** Runs the probe in a run of the command line, as each of these programs. */
export async function playLevel(level: Level, purposes: readonly ProbedPurpose[]): Promise<PlayedLevel> {
  const journey = openJourney({ '.gitignore': '.env\n.bait\n' }, { sandbox: level })
  const bait = await layBait(journey)
  try {
    const results = join(journey.folder, 'results')
    mkdirSync(results)
    writeProject(journey, purposes, results, bait)
    await journey.cliInProcess('import', 'tasks.json')
    const output = await runWithKey(journey)
    const tried = purposes.map((purpose) => [purpose, readTried(join(results, `${purpose}.jsonl`))] as const)
    return { tried: new Map(tried), traces: tracesOf(bait), output }
  } finally {
    await bait.close()
    journey.end()
  }
}

/** Runs the command line in a session that has a key in the kernel. */
async function runWithKey({ repository, env }: Journey): Promise<string> {
  const child = spawn('python3', ['-c', WITH_KEY, process.execPath, mainFile, 'run'], {
    cwd: repository,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

// The kernel forgets the key after five minutes.
const WITH_KEY = `
import ctypes, os, sys
call = ctypes.CDLL(None).syscall
call(250, 1, None)
call(250, 15, call(248, b"user", b"longhaul-bait", b"BAIT", 4, -3), 300)
os.execv(sys.argv[1], sys.argv[1:])
`

function writeProject(
  journey: Journey,
  purposes: readonly ProbedPurpose[],
  results: string,
  { described }: Bait,
): void {
  const program = (purpose: ProbedPurpose): string => {
    const file = `"${results}/${purpose}.jsonl"`
    const probe = `python3 -B probe.py bait.json > ${file}.$$; mv ${file}.$$ ${file}`
    return purposes.includes(purpose) ? `test -e ${file} || { ${probe}; }` : 'true'
  }
  const settings = {
    agent: { driver: 'scripted', script: 'script.yaml' },
    sandbox: { required: true, write: [results] },
    workspace: { setup: [program('setup')], hooks: { before_run: program('hook') } },
    gates: [{ name: 'tests', run: program('check') }],
  }
  journey.write('longhaul.yaml', `${toYaml(settings)}${WITHOUT_REVIEWS}`)
  const steps = [{ run: program('agent') }, { run: 'echo done > done.txt' }, { report: 'done' }]
  journey.write('script.yaml', JSON.stringify([{ task: '*', steps }]))
  journey.write('bait.json', JSON.stringify(described))
  journey.write('tasks.json', taskFile('probe'))
  copyFileSync('test/sandbox/probe.py', join(journey.repository, 'probe.py'))
  journey.commit('probe')
}

function toYaml(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')
}

function readTried(file: string): readonly Tried[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Tried]))
}

function tracesOf({ described, marker }: Bait): readonly string[] {
  const files = Object.values(described.folders).flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (/^longhaul-(probe|race)-/.test(name) ? [join(folder, name)] : [])),
  )
  return [...files, ...(existsSync(marker) ? ['a process outside got a signal'] : [])]
}
