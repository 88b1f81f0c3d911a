import { createHash } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { isPassed } from '../../core/checks/check-findings.ts'
import { PLAIN_RECEIPT, type Receipt } from '../../core/model/verdict.ts'
import { TestOutput, type TestOutputRead } from '../../core/test-output/test-output.ts'
import type { CheckEnvironment, Gate, GateOrder } from '../../ports/gate.ts'
import type { Containment } from '../../process/containment.ts'
import { type ContainedResult, runContained } from '../../process/run-contained.ts'

export interface CommandGateOptions {
  readonly containment: Containment
  /** What every check gets; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>
  /** Where the processes of a check in this folder are recorded while they run. */
  readonly pidFolder: (folder: string) => string
}

/** The gate that runs a command of the user's; only exit code 0 passes, and only if the output does not contradict it. */
export function commandGate({ containment, environment, pidFolder }: CommandGateOptions): Gate {
  return {
    environmentDigest: (order) => digestOf(order, { ...environment, ...order.env }),
    async check(order, signal) {
      const { check, folder } = order
      const env = { ...environment, ...order.env }
      const tests = new TestOutput(folder)
      const decoder = new StringDecoder('utf8')
      const ended = await runContained({
        command: check.run,
        cwd: folder,
        env,
        timeoutMs: check.timeoutMs,
        signal,
        containment,
        folder,
        pidFolder: pidFolder(folder),
        outputMax: OUTPUT_BYTES_MAX,
        ...(order.outputFile === null ? {} : { outputFile: order.outputFile }),
        onOutput: (chunk) => tests.take(decoder.write(chunk)),
      })
      const read = tests.end()
      const receipt = receiptOf(order, ended, read, digestOf(order, env))
      return { receipt, failures: read.failures, names: read.names, output: outputOf(order, ended, receipt, signal) }
    },
  }
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
  const output = ended.kind === 'ended' ? ended.output : ''
  const remark = exitCode === 0 ? null : remarkOn(order, ended, signal)
  return remark === null ? output : withRemark(output, remark)
}

/** What the output alone does not tell of a red check. */
function remarkOn({ check }: GateOrder, ended: ContainedResult, signal: AbortSignal): string | null {
  if (signal.aborted) return 'The check was cancelled before it ended.'
  if (ended.kind === 'not-started') return `The check could not be started: ${ended.message}`
  if (ended.timedOut) return `The check was stopped: it took longer than ${check.timeoutMs / 1000} s.`
  if (ended.exitCode === NOT_FOUND_EXIT) return `A command of "${check.run}" was not found (exit code 127).`
  if (ended.exitCode === NOT_RUNNABLE_EXIT) return `A command of "${check.run}" may not be run (exit code 126).`
  if (ended.exitCode === null) return `The check was ended by ${ended.signal ?? 'a signal'}.`
  return ended.outputBytes === 0 ? `The check said nothing and ended with exit code ${ended.exitCode}.` : null
}

function withRemark(output: string, remark: string): string {
  return output === '' || output.endsWith('\n') ? `${output}${remark}\n` : `${output}\n${remark}\n`
}

// Only the digest leaves this file: names and values of the environment are nobody's business.
function digestOf({ place, setup }: CheckEnvironment, env: Readonly<Record<string, string>>): string {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(JSON.stringify([place, process.platform, process.arch, process.version, setup, variables]))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
