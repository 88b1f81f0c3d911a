// Scripted agent: reads its order, plays its steps in the current folder and reports them as defined in protocol.ts.
// Stands for a third-party agent, so it shares no code with Longhaul; without packages it starts quickly.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Reset } from '../../../core/limits/reset-time.ts'
import type { AgentCommand, AgentLine, AgentOrder } from './protocol.ts'
import type { ScriptStep } from './step.ts'

type Result = Extract<AgentLine, { type: 'result' }>
type Report = Extract<ScriptStep, { kind: 'report' }>
type FileStep = Extract<ScriptStep, { kind: 'write' | 'delete' }>

// Time to read a command's output after its end, when a leftover process keeps the pipe open.
const LEFTOVER_OUTPUT_MS = 100
const DAY_MS = 86_400_000

// The pipe is closed when the engine is gone: this agent ends, too.
process.stdout.on('error', () => process.exit(1))
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const order = JSON.parse(String((await input.next()).value)) as AgentOrder
/** True when the session has to hand over, which it does between two steps. */
let isHandingOver = false
/** True while stdout is full. */
let isBlocked = false
/** Last text of a `say` step. */
let answer: string | null = null
const interruption = new Promise<'interrupted'>((resolve) => void listen(() => resolve('interrupted')))
await print(await play(order))
process.exit(0)

async function listen(interrupt: () => void): Promise<void> {
  for await (const text of input) {
    const command = JSON.parse(text) as AgentCommand
    if (command.type === 'say') {
      await print({ type: 'say', text: `I was asked: ${command.text}` })
      continue
    }
    isHandingOver = true
    if (command.when === 'now') interrupt()
  }
}

async function play(order: AgentOrder): Promise<Result> {
  await print({ type: 'init', session: order.session, model: order.model })
  await print({ type: 'say', text: `I was asked: ${order.prompt.split('\n', 1).join('')}` })
  let report: Report | null = null
  for (const [index, step] of order.steps.entries()) {
    if (isHandingOver) return handedOver(order)
    if (step.kind === 'end') return result(step.as, `The script ended the round as ${step.as}.`, report, step.reset)
    if (step.kind === 'report') report = step
    const failure = await Promise.race([playStep(step, order), interruption])
    if (failure === 'interrupted') return handedOver(order)
    if (failure !== null) return result(failure.kind, `Step ${index + 1} of the script ${failure.detail}`, report, null)
  }
  if (isHandingOver) return handedOver(order)
  return result('ok', report?.reason || 'The script has ended.', report, null)
}

function handedOver({ steps }: AgentOrder): Result {
  const note = steps.find((step) => step.kind === 'note')?.text ?? null
  const result = { type: 'result', kind: 'context-exhausted', detail: 'The session was asked to hand over.' } as const
  return { ...result, claim: null, resetAt: null, note, answer: null }
}

function result(kind: Result['kind'], detail: string, report: Report | null, reset: Reset | null): Result {
  const resetAt = reset?.kind === 'after' ? Date.now() + reset.ms : (reset?.at ?? null)
  return { type: 'result', kind, detail, claim: claimOf(report), resetAt, note: null, answer }
}

function claimOf(report: Report | null): Result['claim'] {
  if (report === null) return null
  return report.claim === 'blocked'
    ? { kind: 'blocked', reason: report.reason || 'The script gives no reason.' }
    : { kind: report.claim }
}

type Failure = Pick<Result, 'kind' | 'detail'>

/** Plays one step; a failure ends the round. */
async function playStep(step: ScriptStep, order: AgentOrder): Promise<Failure | null> {
  switch (step.kind) {
    case 'say':
      answer = step.text
      await print({ type: 'say', text: step.text })
      return null
    case 'write':
    case 'delete':
      return changeFile(step, order.access)
    case 'run':
      await runTool(step.command)
      return null
    case 'wait':
      await print({ type: 'waiting', ms: step.ms })
      await pause(step.ms)
      return null
    case 'usage':
      await print({ type: 'usage', message: randomUUID(), tokens: step.tokens, window: step.window })
      return null
    case 'hang':
      return new Promise(() => setInterval(() => {}, DAY_MS))
    case 'note':
    case 'report':
    case 'end':
      return null
  }
}

async function changeFile(step: FileStep, access: AgentOrder['access']): Promise<Failure | null> {
  await print({ type: 'tool', name: step.kind === 'write' ? 'Write' : 'Delete', input: step.path })
  const refusal = refusalOf(step.path, access)
  if (refusal !== null) return { kind: 'config', detail: `would ${step.kind} ${step.path}: ${refusal}` }
  try {
    if (step.kind === 'delete') rmSync(step.path, { recursive: true, force: true })
    else writeWithFolders(step.path, step.text)
  } catch (cause) {
    return { kind: 'crashed', detail: `could not ${step.kind} ${step.path}: ${String(cause)}` }
  }
  await print({ type: 'tool-ended', note: 'ok' })
  return null
}

function refusalOf(path: string, access: AgentOrder['access']): string | null {
  if (access === 'read-only') return 'its access is read-only.'
  const isOutside = /^(\.\.(\/|$)|$)/.test(relative('.', resolve(path)))
  return isOutside && access !== 'full' ? 'that path is outside the workspace.' : null
}

function writeWithFolders(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

// Runs in a new session, like the tools of real agents. The script continues after any exit code.
async function runTool(command: string): Promise<void> {
  await print({ type: 'tool', name: 'Bash', input: command })
  const child = spawn('sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const pipes = [child.stdout, child.stderr]
  const outputs = Promise.all(pipes.map(passOn))
  const outcome = await new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(`not started: ${String(cause)}`))
    child.once('exit', (code, signal) => resolve(code === null ? `ended by ${signal}` : `exit code ${code}`))
  })
  const isRead = outputs.then(() => true)
  for (let seen = -1; !(await Promise.race([isRead, pause(LEFTOVER_OUTPUT_MS, false)])); ) {
    const read = pipes.reduce((bytes, pipe) => bytes + (pipe as Socket).bytesRead, 0)
    // Nothing is read while stdout is full, or while text that was read waits to be passed on.
    const isQuiet = read === seen && !isBlocked && pipes.every(({ readableLength }) => readableLength === 0)
    if (isQuiet) for (const pipe of pipes) pipe.destroy()
    seen = read
  }
  await print({ type: 'tool-ended', note: outcome })
}

async function passOn(pipe: Readable): Promise<void> {
  pipe.setEncoding('utf8')
  try {
    for await (const text of pipe) await print({ type: 'tool-output', text: String(text) })
  } catch {
    // destroyed above after the command's end
  }
}

async function print(line: AgentLine): Promise<void> {
  isBlocked = !process.stdout.write(`${JSON.stringify(line)}\n`)
  if (isBlocked) await once(process.stdout, 'drain')
  isBlocked = false
}
