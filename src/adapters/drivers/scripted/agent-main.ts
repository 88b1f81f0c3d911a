// The scripted agent: reads its order, plays its steps in the current folder and tells what it does, as protocol.ts
// says. It stands for an agent we did not write, so it shares no code with us; and without packages it starts quickly.
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
import type { AgentLine, AgentOrder, AgentWord } from './protocol.ts'
import type { ScriptStep } from './step.ts'

type Result = Extract<AgentLine, { type: 'result' }>
type Report = Extract<ScriptStep, { kind: 'report' }>
type FileStep = Extract<ScriptStep, { kind: 'write' | 'delete' }>

// How long a command's output is still read after its end, when something it left behind holds the pipe.
const LEFTOVER_OUTPUT_MS = 100
const DAY_MS = 86_400_000

// Nobody reads any more: the engine is gone, so this agent goes, too.
process.stdout.on('error', () => process.exit(1))
const words = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const order = JSON.parse(String((await words.next()).value)) as AgentOrder
/** Whether the session has been told to hand over; it does so between two steps. */
let isHandingOver = false
/** Whether what it tells has yet to be taken. */
let isHeldUp = false
/** What it said last of its own accord. */
let answer: string | null = null
const interruption = new Promise<'interrupted'>((resolve) => void listen(() => resolve('interrupted')))
await tell(await play(order))
process.exit(0)

async function listen(interrupt: () => void): Promise<void> {
  for await (const text of words) {
    const word = JSON.parse(text) as AgentWord
    if (word.type === 'say') {
      await tell({ type: 'say', text: `I was told: ${word.text}` })
      continue
    }
    isHandingOver = true
    if (word.when === 'now') interrupt()
  }
}

async function play(order: AgentOrder): Promise<Result> {
  await tell({ type: 'init', session: order.session, model: order.model })
  await tell({ type: 'say', text: `I was told: ${order.prompt.split('\n', 1).join('')}` })
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
  return result('ok', report?.reason || 'The script has been played to its end.', report, null)
}

function handedOver({ steps }: AgentOrder): Result {
  const note = steps.find((step) => step.kind === 'note')?.text ?? null
  const told = { type: 'result', kind: 'context-exhausted', detail: 'The session was asked to hand over.' } as const
  return { ...told, claim: null, resetAt: null, note, answer: null }
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
      await tell({ type: 'say', text: step.text })
      return null
    case 'write':
    case 'delete':
      return changeFile(step, order.access)
    case 'run':
      await runTool(step.command)
      return null
    case 'wait':
      await tell({ type: 'waiting', ms: step.ms })
      await pause(step.ms)
      return null
    case 'usage':
      await tell({ type: 'usage', message: randomUUID(), tokens: step.tokens, window: step.window })
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
  await tell({ type: 'tool', name: step.kind === 'write' ? 'Write' : 'Delete', input: step.path })
  const refusal = refusalOf(step.path, access)
  if (refusal !== null) return { kind: 'config', detail: `would ${step.kind} ${step.path}: ${refusal}` }
  try {
    if (step.kind === 'delete') rmSync(step.path, { recursive: true, force: true })
    else writeWithFolders(step.path, step.text)
  } catch (cause) {
    return { kind: 'crashed', detail: `could not ${step.kind} ${step.path}: ${String(cause)}` }
  }
  await tell({ type: 'tool-ended', note: 'ok' })
  return null
}

function refusalOf(path: string, access: AgentOrder['access']): string | null {
  if (access === 'read-only') return 'its access is read-only.'
  const isOutside = /^(\.\.(\/|$)|$)/.test(relative('.', resolve(path)))
  return isOutside && access !== 'full' ? 'that is not a place inside the workspace.' : null
}

function writeWithFolders(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

// In a session of its own, as the tools of real agents are. Whatever it ends with is noted, and the script goes on.
async function runTool(command: string): Promise<void> {
  await tell({ type: 'tool', name: 'Bash', input: command })
  const child = spawn('sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const pipes = [child.stdout, child.stderr]
  const outputs = Promise.all(pipes.map(passOn))
  const note = await new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(`not started: ${String(cause)}`))
    child.once('exit', (code, signal) => resolve(code === null ? `ended by ${signal}` : `exit code ${code}`))
  })
  const isRead = outputs.then(() => true)
  for (let seen = -1; !(await Promise.race([isRead, pause(LEFTOVER_OUTPUT_MS, false)])); ) {
    const read = pipes.reduce((bytes, pipe) => bytes + (pipe as Socket).bytesRead, 0)
    // While nobody takes what we tell, nothing is read either.
    if (read === seen && !isHeldUp) for (const pipe of pipes) pipe.destroy()
    seen = read
  }
  await tell({ type: 'tool-ended', note })
}

async function passOn(pipe: Readable): Promise<void> {
  pipe.setEncoding('utf8')
  try {
    for await (const text of pipe) await tell({ type: 'tool-output', text: String(text) })
  } catch {
    // closed by us after the command's end
  }
}

async function tell(line: AgentLine): Promise<void> {
  isHeldUp = !process.stdout.write(`${JSON.stringify(line)}\n`)
  if (isHeldUp) await once(process.stdout, 'drain')
  isHeldUp = false
}
