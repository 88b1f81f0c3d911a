import { mkdir } from 'node:fs/promises'
import type { SessionId } from '../../core/model/ids.ts'
import { isProblem, type Problem, problem } from '../../core/model/problem.ts'
import type { JudgeUsage, RoundEnd, UsageReport } from '../../core/model/round.ts'
import { judgeAgent } from '../../core/phases/judge-agent.ts'
import type { AgentDriver, AgentRound } from '../../ports/agent-driver.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Judge, OnJudgeUsage, Question } from '../../ports/judge.ts'
import { judgeOrder } from './judge-order.ts'
import { calledOff, unreadable } from './judge-problems.ts'
import { Queue } from './queue.ts'

/** What the agent as a judge gets to know of the place where it is asked. */
export interface AgentJudgeOptions {
  readonly clock: Clock
  /** An empty folder of its own, made when it is needed. */
  readonly folder: string
  /** The driver of a name, whose agents are recorded as those of that folder; null: there is none. */
  driver(name: string): Promise<AgentDriver | null>
}

/** Asks the agent of the settings itself: one short round of its own, without tools, in an empty folder. */
export function agentJudge(options: AgentJudgeOptions): Judge {
  const turns = new Queue()
  let rounds = 0
  return {
    waitForTurn: (signal) => turns.next(signal),
    ask(question, signal, used) {
      rounds += 1
      return turns.whole(answerOf({ question, used }, rounds, options, signal))
    },
  }
}

interface Asking {
  readonly question: Question
  readonly used: OnJudgeUsage
}

async function answerOf(
  asking: Asking,
  number: number,
  { clock, folder, driver: driverOf }: AgentJudgeOptions,
  signal: AbortSignal,
): Promise<string | Problem> {
  if (signal.aborted) return calledOff()
  const { question } = asking
  const agent = judgeAgent(question.agent, question.judge)
  const driver = await driverOf(agent.driver)
  if (driver === null) return notStarted(`there is no driver "${agent.driver}"`)
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    return notStarted((cause as Error).message)
  }
  const order = judgeOrder({ ...question, agent }, number, clock.uuid() as SessionId)
  return heard(asking, driver.start({ order, folder, tools: null, form: null }), signal)
}

const ANSWER_LENGTH_MAX = 256 * 1024

async function heard({ question, used }: Asking, round: AgentRound, signal: AbortSignal): Promise<string | Problem> {
  const cancel = () => round.cancel('cancelled')
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  let text = ''
  let end: RoundEnd | null = null
  for await (const event of round.events) {
    if (event.kind === 'answer') text = event.text
    if (event.kind === 'usage') used(usageOf(event.usage))
    if (event.kind === 'ended') end = event.end
  }
  signal.removeEventListener('abort', cancel)
  if (signal.aborted) return calledOff()
  const failed = failureOf(question, end)
  if (isProblem(failed)) return failed
  if (text.length > ANSWER_LENGTH_MAX) return unreadable(question.judge, 'its answer does not end')
  return text.trim() === '' ? unreadable(question.judge, 'its answer is empty') : text
}

/** Its sessions are its own: a message's name is known only together with them. */
function usageOf({ session, message, model, tokens, hourCacheWrite }: UsageReport): JudgeUsage {
  return { message: `${session} ${message}`, model, tokens, hourCacheWrite }
}

/** Why an end is none of an answer; null: it is one. */
function failureOf({ judge }: Question, end: RoundEnd | null): Problem | null {
  switch (end?.kind) {
    case 'ok':
      return null
    case 'truncated':
    case 'max-turns':
    case 'context-exhausted':
      return unreadable(judge, `its answer ends in the middle (${end.kind})`)
    case 'auth':
    case 'config':
    case 'refused':
    case 'budget':
      return refused(end.detail, 'person')
    case 'rate-limited':
    case 'overloaded':
      return refused(end.detail, 'later')
    default:
      return notStarted(end?.detail ?? 'it gave no end')
  }
}

function refused(why: string, retry: 'person' | 'later'): Problem {
  return problem({
    code: 'judge-refused',
    message: `The agent that is the judge gives no opinion: ${why}`,
    hint: 'Look at agent and judge.model in longhaul.yaml, or see what "longhaul doctor" says of the agent.',
    retry,
  })
}

function notStarted(why: string): Problem {
  return problem({
    code: 'judge-unreachable',
    message: `The agent that is the judge cannot be asked: ${why}`,
    hint: 'Look at agent in longhaul.yaml, or take another judge.driver.',
    retry: 'later',
  })
}
