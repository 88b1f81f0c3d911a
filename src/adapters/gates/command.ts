import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { isPassed } from '../../core/checks/check-findings.ts'
import { durationText } from '../../core/limits/duration-text.ts'
import { PLAIN_RECEIPT, type Receipt } from '../../core/model/verdict.ts'
import { type RefusedHost, refusedHostsNote } from '../../core/sandbox/network-access.ts'
import { combineReads } from '../../core/test-output/combine-reads.ts'
import { placeFailures } from '../../core/test-output/place-failures.ts'
import { readReport } from '../../core/test-output/read-report.ts'
import { readableOutput } from '../../core/test-output/readable-output.ts'
import { TestOutput } from '../../core/test-output/test-output.ts'
import type { TestOutputRead } from '../../core/test-output/test-output-read.ts'
import type { CheckEnvironment, Gate, GateOrder } from '../../ports/gate.ts'
import type { Sandbox } from '../../ports/sandbox.ts'
import { type ContainedResult, runContained } from '../../process/start/run-contained.ts'
import { checkedProject } from './checked-project.ts'
import { openTestReport, TEST_REPORT, type TestReport } from './test-report.ts'

export interface CommandGateOptions {
  readonly sandbox: Sandbox
  /** Environment of every check; nothing else is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Returns the folder that records the running processes of a check in this folder. */
  readonly pidFolder: (folder: string) => string
}

/** Gate that runs a command of the user; it passes with exit code 0, unless its report or output shows failed tests. */
export function commandGate({ sandbox, environment, pidFolder }: CommandGateOptions): Gate {
  return {
    environmentDigest: (order) => digestOf(order, { ...environment, ...order.env }, sandbox),
    async check(order, signal) {
      const env = { ...environment, ...order.env }
      const report = await openTestReport(pidFolder(order.folder))
      try {
        const { ended, read, note } = await runAndRead({ order, env, report, signal, sandbox, pidFolder })
        const receipt = receiptOf(order, ended, read, digestOf(order, env, sandbox))
        return {
          receipt,
          failures: read.failures,
          names: read.names,
          output: `${outputOf(order, ended, receipt, signal)}${note}`,
        }
      } finally {
        await report.remove()
      }
    },
  }
}

interface CheckToRun extends Pick<CommandGateOptions, 'sandbox' | 'pidFolder'> {
  readonly order: GateOrder
  readonly env: Readonly<Record<string, string>>
  readonly report: TestReport
  readonly signal: AbortSignal
}

async function runAndRead({ order, env, report, signal, sandbox, pidFolder }: CheckToRun) {
  const { check, folder } = order
  const outside = { ...env, [TEST_REPORT]: report.path }
  const refused: RefusedHost[] = []
  const enclosure = sandbox.enclose({
    purpose: 'check',
    folder,
    env: outside,
    writes: [dirname(report.path)],
    onRefused: (host) => refused.push(host),
  })
  const output = new TestOutput(folder, check.run)
  const decoder = new StringDecoder('utf8')
  const ended = await runContained({
    command: check.run,
    cwd: folder,
    timeoutMs: check.timeoutMs,
    signal,
    ...enclosure,
    folder,
    pidFolder: pidFolder(folder),
    outputMax: OUTPUT_BYTES_MAX,
    ...(order.outputFile === null ? {} : { outputFile: order.outputFile }),
    onOutput: (chunk) => output.take(decoder.write(chunk)),
  })
  return { ended, read: await readTests(order, output.end(), report), note: refusedHostsNote(refused) }
}

/** Reads the report of a command that asks for one. Of any other, tests could write it, so it can only add failures. */
async function readTests(
  { check, folder }: GateOrder,
  output: TestOutputRead,
  report: TestReport,
): Promise<TestOutputRead> {
  const text = await report.read()
  const reported = text === null ? null : readReport(text, folder)
  const isAskedFor = check.run.includes(TEST_REPORT) || output.tests === null || reported === null
  const read = isAskedFor ? combineReads(reported, output) : combineReads(output, reported)
  return placeFailures({ ...read, coverage: output.coverage }, checkedProject(folder, check.run))
}

const OUTPUT_BYTES_MAX = 64 * 1024
const NOT_FOUND_EXIT = 127
const NOT_RUNNABLE_EXIT = 126
const NO_OUTPUT_DIGEST = sha256('')

function receiptOf(order: GateOrder, ended: ContainedResult, read: TestOutputRead, environment: string): Receipt {
  const { check, tree, commit } = order
  const exitCode = ended.kind === 'ended' ? ended.exitCode : null
  const { tests, coverage } = read
  return {
    gate: check.name,
    command: check.run,
    exitCode,
    tree,
    commit,
    environmentDigest: environment,
    timedOut: ended.kind === 'ended' && ended.timedOut,
    durationMs: ended.kind === 'ended' ? Math.round(ended.durationMs) : 0,
    outputDigest: ended.kind === 'ended' ? ended.outputDigest : NO_OUTPUT_DIGEST,
    passed: isPassed(check, { exitCode, tests, coverage }),
    blocking: check.onFail === 'block',
    ...PLAIN_RECEIPT,
    tests,
    coverage,
  }
}

function outputOf(order: GateOrder, ended: ContainedResult, { exitCode }: Receipt, signal: AbortSignal): string {
  const output = ended.kind === 'ended' ? readableOutput(ended.output) : ''
  const note = exitCode === 0 ? null : explain(order, ended, signal)
  return note === null ? output : withNote(output, note)
}

/** Explains a failed check whose output alone does not. */
function explain({ check }: GateOrder, ended: ContainedResult, signal: AbortSignal): string | null {
  if (signal.aborted) return 'The check was cancelled before it ended.'
  if (ended.kind === 'not-started') return `The check could not be started: ${ended.message}`
  if (ended.timedOut) return `The check was stopped: it took longer than ${durationText(check.timeoutMs)}.`
  if (ended.exitCode === NOT_FOUND_EXIT) return `A command of "${check.run}" was not found (exit code 127).`
  if (ended.exitCode === NOT_RUNNABLE_EXIT) return `A command of "${check.run}" is not executable (exit code 126).`
  if (ended.exitCode === null) return `The check was ended by ${ended.signal ?? 'a signal'}.`
  return ended.outputBytes === 0 ? `The check printed nothing and ended with exit code ${ended.exitCode}.` : null
}

function withNote(output: string, note: string): string {
  return output === '' || output.endsWith('\n') ? `${output}${note}\n` : `${output}\n${note}\n`
}

// Only the digest leaves this file: the environment may contain secrets.
function digestOf({ place, setup }: CheckEnvironment, env: GateOrder['env'], { protection }: Sandbox): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([place, process.platform, process.arch, process.version, setup, variables, protection]))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
