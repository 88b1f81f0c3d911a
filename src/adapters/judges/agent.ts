import { mkdir } from 'node:fs/promises'
import type { RoundOrder } from '../../core/model/effect.ts'
import type { AttemptId, SessionId, TaskId } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { JudgeUsage, RoundEnd, UsageReport } from '../../core/model/round.ts'
import type { JudgeSettings } from '../../core/model/settings.ts'
import type { Task } from '../../core/model/task.ts'
import { JUDGE_HEADING, JUDGE_PHASE, judgeAgent } from '../../core/phases/judge-agent.ts'
import type { AgentDriver, AgentRound } from '../../ports/agent-driver.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Judge, OnJudgeUsage, Question } from '../../ports/judge.ts'
import { cancelled, unreadable } from './judge-problems.ts'
import { TurnQueue } from './turn-queue.ts'

export interface AgentJudgeOptions {
  readonly clock: Clock
  /** Empty folder for its rounds, created when needed. */
  readonly folder: string
  /** Returns the driver with this name, which records its processes under that folder, or null. */
  driver(name: string): Promise<AgentDriver | null>
}

/** Asks the agent of the settings in a short separate round, without tools, in an empty folder. */
export function agentJudge(options: AgentJudgeOptions): Judge {
  const queue = new TurnQueue()
  let round = 0
  return {
    waitForTurn: (signal) => queue.waitForTurn(signal),
    ask(question, signal, onUsage) {
      round += 1
      return queue.hold(runRound(question, round, options, onUsage, signal))
    },
  }
}

async function runRound(
  question: Question,
  number: number,
  { clock, folder, driver: driverNamed }: AgentJudgeOptions,
  onUsage: OnJudgeUsage,
  signal: AbortSignal,
): Promise<string | Problem> {
  if (signal.aborted) return cancelled()
  const agent = judgeAgent(question.agent, question.judge)
  const driver = await driverNamed(agent.driver)
  if (driver === null) return notStarted(`there is no driver "${agent.driver}"`)
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    return notStarted((cause as Error).message)
  }
  const order = judgeOrder({ ...question, agent }, number, clock.uuid() as SessionId)
  const spec = { order, folder, tools: null, form: null, onHostRefused: ignoreRefusedHost }
  return readAnswer(question, driver.start(spec), onUsage, signal)
}

// A judge has no tools that could reach a host, and no round to record one in.
function ignoreRefusedHost(): void {}

// Allows an agent to try a tool that it does not have before it answers.
const TURNS_MAX = 2

function judgeOrder({ judge, agent, system, prompt }: Question, round: number, session: SessionId): RoundOrder {
  const text = `${JUDGE_HEADING}\n\n${system}\n\n${prompt}`
  return {
    attempt: JUDGE_PHASE as AttemptId,
    task: JUDGE_TASK,
    number: 1,
    phase: JUDGE_PHASE,
    role: 'reviewer',
    phaseRound: round,
    round,
    session,
    sessionKnown: false,
    prompt: text,
    opening: text,
    texts: [],
    noteRequest: '',
    context: { policy: 'hand-off', guidance: '' },
    agent,
    turnsMax: TURNS_MAX,
    silenceMs: judge.timeoutMs,
    hookMs: 0,
    budgetUsd: null,
    hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null },
  }
}

const JUDGE_TASK: Task = {
  id: JUDGE_PHASE as TaskId,
  title: 'To judge',
  brief: '',
  after: [],
  weight: 'trivial',
  type: null,
  milestone: null,
  priority: 0,
  acceptance: [],
  verify: [],
  mayChange: [],
  files: [],
}

const ANSWER_LENGTH_MAX = 256 * 1024

async function readAnswer(
  { judge }: Question,
  round: AgentRound,
  onUsage: OnJudgeUsage,
  signal: AbortSignal,
): Promise<string | Problem> {
  const cancel = () => round.cancel('cancelled')
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  let text = ''
  let end: RoundEnd | null = null
  for await (const event of round.events) {
    if (event.kind === 'answer') text = event.text
    if (event.kind === 'usage') onUsage(usageOf(event.usage))
    if (event.kind === 'ended') end = event.end
  }
  signal.removeEventListener('abort', cancel)
  if (signal.aborted) return cancelled()
  const failure = failureOf(judge, end)
  if (isProblem(failure)) return failure
  if (text.length > ANSWER_LENGTH_MAX) return unreadable(judge, 'its answer does not end')
  return text.trim() === '' ? unreadable(judge, 'its answer is empty') : text
}

/** Makes message ids unique across the judge's sessions. */
function usageOf({ session, message, model, tokens, hourCacheWrite }: UsageReport): JudgeUsage {
  return { message: `${session} ${message}`, model, tokens, hourCacheWrite }
}

/** Returns the problem of a round that gave no whole answer, or null. */
function failureOf(judge: JudgeSettings, end: RoundEnd | null): Problem | null {
  switch (end?.kind) {
    case 'ok':
      return null
    case 'truncated':
    case 'max-turns':
    case 'context-exhausted':
      return unreadable(judge, `its answer was cut off (${end.kind})`)
    case 'auth':
    case 'config':
    case 'refused':
    case 'budget':
      return refused(end.detail, 'person')
    case 'rate-limited':
    case 'overloaded':
      return refused(end.detail, 'later')
    default:
      return notStarted(end?.detail ?? 'the driver reported no end')
  }
}

function refused(reason: string, retry: 'person' | 'later'): Problem {
  return problem({
    code: 'judge-refused',
    message: `The agent did not answer as judge: ${reason}`,
    hint: 'Check agent and judge.model in longhaul.yaml, or run "longhaul doctor".',
    retry,
  })
}

function notStarted(reason: string): Problem {
  return problem({
    code: 'judge-unreachable',
    message: `The agent cannot be asked as judge: ${reason}`,
    hint: 'Check agent in longhaul.yaml, or set another judge.driver.',
    retry: 'later',
  })
}
