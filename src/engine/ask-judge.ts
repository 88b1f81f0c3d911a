import { durationText } from '../core/limits/duration-text.ts'
import { JUDGE_TRIES_MAX } from '../core/limits/limits.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { JudgeSettings } from '../core/model/settings.ts'
import { judgeAsSubject } from '../core/phases/judge-agent.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Judge, OnJudgeUsage, Question } from '../ports/judge.ts'

/** Question with its parser, which returns null for an answer it cannot read. */
export interface ParsedQuestion<Answer> extends Pick<Question, 'system' | 'prompt' | 'tokensMax'> {
  read(text: string): Answer | null
}

type Respondent = Pick<Question, 'judge' | 'agent'>

/** Asks a judge, with a retry where that may help; its time limit covers all tries. */
export async function askJudge<Answer>(
  { judge: judgeNamed, clock }: Pick<EnginePorts, 'judge' | 'clock'>,
  respondent: Respondent,
  question: ParsedQuestion<Answer>,
  signal: AbortSignal,
  onUsage: OnJudgeUsage,
): Promise<Answer | Problem> {
  const { judge } = respondent
  const port = judgeNamed(judge.driver)
  if (port === null) return unknownJudge(judge)
  const endTurn = await port.waitForTurn?.(signal)
  const controller = new AbortController()
  let stopTimer = () => {}
  const timeout = new Promise<Problem>((resolve) => {
    stopTimer = clock.after(judge.timeoutMs, () => resolve(tooSlow(judge)))
  })
  const answer = askWithRetry(port, respondent, question, AbortSignal.any([signal, controller.signal]), onUsage)
  try {
    return await Promise.race([timeout, answer, whenAborted(signal)])
  } finally {
    stopTimer()
    controller.abort()
    endTurn?.()
  }
}

async function askWithRetry<Answer>(
  port: Judge,
  respondent: Respondent,
  { read, ...question }: ParsedQuestion<Answer>,
  signal: AbortSignal,
  onUsage: OnJudgeUsage,
): Promise<Answer | Problem> {
  for (let tries = 1; ; tries += 1) {
    const text = await port.ask({ ...respondent, ...question }, signal, onUsage)
    const answer = isProblem(text) ? text : (read(text) ?? unreadable(respondent.judge, text))
    const mayRetry = isProblem(answer) && answer.retry === 'later' && tries < JUDGE_TRIES_MAX && !signal.aborted
    if (!mayRetry) return answer
  }
}

/** Resolves on abort, so that a judge that ignores its signal is not waited for. */
function whenAborted(signal: AbortSignal): Promise<Problem> {
  const cancelled = problem({
    code: 'cancelled',
    message: 'The judge was cancelled because the engine stops.',
    hint: 'It is asked again at the next start.',
    retry: 'later',
  })
  return new Promise((resolve) => {
    if (signal.aborted) resolve(cancelled)
    signal.addEventListener('abort', () => resolve(cancelled), { once: true })
  })
}

function tooSlow(judge: JudgeSettings): Problem {
  return problem({
    code: 'judge-slow',
    message: `${judgeAsSubject(judge)} gave no answer within ${durationText(judge.timeoutMs)}.`,
    hint: 'Raise judge.timeout in longhaul.yaml, or use a smaller model.',
    retry: 'later',
  })
}

function unreadable(judge: JudgeSettings, text: string): Problem {
  const start = text.replaceAll(/\s+/g, ' ').trim().slice(0, 100)
  return problem({
    code: 'judge-unreadable',
    message: `${judgeAsSubject(judge)} did not answer in the requested format; its answer starts with "${start}".`,
    hint: 'Try another model in judge.model of longhaul.yaml.',
    retry: 'later',
  })
}

function unknownJudge({ driver }: JudgeSettings): Problem {
  return problem({
    code: 'driver-unknown',
    message: `Longhaul has no judge "${driver}".`,
    hint: 'Set judge.driver in longhaul.yaml to agent, ollama or openai.',
    retry: 'person',
  })
}
