import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openSandbox } from '../src/adapters/sandboxes/open-sandbox.ts'
import { sandboxNetwork } from '../src/adapters/sandboxes/sandbox-network.ts'
import { PLAIN_SANDBOX } from '../src/core/model/settings.ts'
import type { Sandbox } from '../src/ports/sandbox.ts'
import { pidNamespace } from '../src/process/start/containment.ts'
import { findProgram } from '../src/process/start/find-program.ts'
import { runContained } from '../src/process/start/run-contained.ts'
import { startProcess } from '../src/process/start/start-process.ts'
import { makeProject, type Project } from './project.ts'
import { good } from './real-adapters.ts'
import { type BenchResult, median, spread } from './result.ts'

const STARTS = 31
const START_MS_MAX = 150
const TESTS = 11
const TESTS_RATIO_MAX = 1.15

const FILES = {
  'package.json': JSON.stringify({ name: 'small', scripts: { test: 'node --test' } }),
  ...Object.fromEntries(
    Array.from({ length: 5 }, (_, number) => [
      `part-${number}.test.mjs`,
      `import { test } from 'node:test'\ntest('adds', () => {\n  let sum = 0\n  for (let i = 0; i < 2e6; i++) sum += i\n  if (sum < 1) throw new Error()\n})\n`,
    ]),
  ),
}

/** Measures what the sandbox costs: the start of an agent, and a project's tests. */
export async function benchSandbox(): Promise<BenchResult[]> {
  const project = makeProject(FILES)
  try {
    const sandbox = await sandboxOf(project)
    return [await benchStarts(sandbox, project), await benchTests(sandbox, project)]
  } finally {
    project.remove()
  }
}

async function sandboxOf({ folder, repository, env }: Project): Promise<Sandbox> {
  const stateHome = join(folder, 'state')
  const home = join(folder, 'own-home')
  for (const path of [stateHome, home]) mkdirSync(path, { recursive: true })
  const sandbox = good(
    await openSandbox({
      environment: env,
      home: env.HOME ?? folder,
      stateHome,
      repository: [],
      objects: join(repository, '.git', 'objects'),
      settings: { ...PLAIN_SANDBOX, required: true },
      openContainment: () => Promise.reject(new Error('the sandbox is required')),
      ownPlacesOf: () => ({ home, gitConfig: '', npm: null }),
      networkOf: sandboxNetwork({
        settings: PLAIN_SANDBOX,
        environment: env,
        registries: async () => [],
        origin: null,
      }),
    }),
  )
  return sandbox
}

/** Compares the time until a program's first output, in the sandbox with its network and as a plain child process. */
async function benchStarts(sandbox: Sandbox, { repository, env }: Project): Promise<BenchResult> {
  const inside: number[] = []
  const bare: number[] = []
  const command = ['/bin/sh', '-c', 'echo started'] as const
  for (let time = 0; time < STARTS; time += 1) {
    inside.push(
      await firstOutput(() => {
        const enclosure = sandbox.enclose({ purpose: 'agent', folder: repository, env })
        const plain = { takesInput: false, keepsControlPipe: false, record: () => {} }
        return startProcess({ command, cwd: repository, ...plain, ...enclosure })
      }),
    )
    const [file, ...args] = command
    bare.push(await firstOutput(() => spawn(file, args, { cwd: repository, env })))
  }
  const [value, baseline] = [median(inside), median(bare)]
  return {
    name: 'start of an agent in the sandbox',
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${START_MS_MAX} ms more than a plain child process`,
    ok: value - baseline <= START_MS_MAX,
    note: `ms until the first output, median of ${STARTS} (${spread(inside, 0)}); baseline: sh without a sandbox`,
  }
}

async function firstOutput(start: () => ChildProcess): Promise<number> {
  const startedAt = performance.now()
  const child = start()
  const exit = once(child, 'exit')
  if (child.stdout === null) throw new Error('A started program has a pipe for its output.')
  await once(child.stdout, 'data')
  const ms = performance.now() - startedAt
  await exit
  return ms
}

/** Compares `npm test` of a small project in the sandbox and outside, in turns. */
async function benchTests(sandbox: Sandbox, { folder, repository, env }: Project): Promise<BenchResult> {
  const inside: number[] = []
  const outside: number[] = []
  const tests = { command: 'npm test', cwd: repository, timeoutMs: 120_000, folder: repository, outputMax: 10_000 }
  const run = async (enclosure: Pick<Parameters<typeof runContained>[0], 'containment' | 'env'>): Promise<number> => {
    const ended = await runContained({ ...tests, ...enclosure, pidFolder: join(folder, 'pids') })
    if (ended.kind !== 'ended' || ended.exitCode !== 0) throw new Error(JSON.stringify(ended))
    return ended.durationMs
  }
  const unlimited = pidNamespace(findProgram('bwrap', env, '/') ?? 'bwrap')
  for (let time = 0; time < TESTS; time += 1) {
    inside.push(await run(sandbox.enclose({ purpose: 'check', folder: repository, env })))
    outside.push(await run({ containment: unlimited, env }))
  }
  const [value, baseline] = [median(inside), median(outside)]
  return {
    name: 'npm test of a small project in the sandbox',
    value,
    baseline,
    ratio: value / baseline,
    bound: `≤ ${TESTS_RATIO_MAX} × outside`,
    ok: value / baseline <= TESTS_RATIO_MAX,
    note: `ms, median of ${TESTS} in turns (${spread(inside)}); baseline: the same without a sandbox`,
  }
}
