import { JUDGE_TRIES_MAX } from '../core/limits/limits.ts'
import { isProblem, type Problem, problem } from '../core/model/problem.ts'
import type { JudgeSettings } from '../core/model/settings.ts'
import { theJudge } from '../core/phases/judge-agent.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Judge, OnJudgeUsage, Question } from '../ports/judge.ts'

/** What is asked, and how an answer is understood; null: nothing can be made of it. */
export interface Asked<Opinion> extends Pick<Question, 'system' | 'prompt' | 'tokensMax'> {
  read(text: string): Opinion | null
}

type Who = Pick<Question, 'judge' | 'agent'>

/** Asks a judge, once more where that may help, and never waits longer than its time limit for all of it. */
export async function askJudge<Opinion>(
  { judge: judgeOf, clock }: Pick<EnginePorts, 'judge' | 'clock'>,
  who: Who,
  asked: Asked<Opinion>,
  signal: AbortSignal,
  used: OnJudgeUsage,
): Promise<Opinion | Problem> {
  const { judge } = who
  const port = judgeOf(judge.driver)
  if (port === null) return noSuchJudge(judge)
  const leave = await port.turn?.(signal)
  const enough = new AbortController()
  const both = AbortSignal.any([signal, enough.signal])
  let stopWaiting = () => {}
  const late = new Promise<Problem>((resolve) => {
    stopWaiting = clock.after(judge.timeoutMs, () => resolve(tooSlow(judge)))
  })
  try {
    return await Promise.race([late, answer(port, { ...who, used }, asked, both), whenAborted(signal)])
  } finally {
    stopWaiting()
    enough.abort()
    leave?.()
  }
}

async function answer<Opinion>(
  port: Judge,
  { used, ...who }: Who & { readonly used: OnJudgeUsage },
  { read, ...question }: Asked<Opinion>,
  signal: AbortSignal,
): Promise<Opinion | Problem> {
  for (let tries = 1; ; tries += 1) {
    const text = await port.ask({ ...who, ...question }, signal, used)
    const opinion = isProblem(text) ? text : (read(text) ?? babble(who.judge, text))
    const mayHelp = isProblem(opinion) && opinion.retry === 'later' && tries < JUDGE_TRIES_MAX && !signal.aborted
    if (!mayHelp) return opinion
  }
}

/** Even a judge that does not hear that it is called off is not waited for. */
function whenAborted(signal: AbortSignal): Promise<Problem> {
  const gone = problem({
    code: 'cancelled',
    message: 'The judge was not waited for, because the engine stops.',
    hint: 'It is asked again at the next start.',
    retry: 'later',
  })
  return new Promise((resolve) => {
    if (signal.aborted) resolve(gone)
    signal.addEventListener('abort', () => resolve(gone), { once: true })
  })
}

function tooSlow(judge: JudgeSettings): Problem {
  return problem({
    code: 'judge-slow',
    message: `${theJudge(judge)} gave no answer within ${judge.timeoutMs / 1000} s.`,
    hint: 'Raise judge.timeout in longhaul.yaml, or take a smaller model.',
    retry: 'later',
  })
}

function babble(judge: JudgeSettings, text: string): Problem {
  const start = text.replaceAll(/\s+/g, ' ').trim().slice(0, 100)
  return problem({
    code: 'judge-unreadable',
    message: `${theJudge(judge)} does not answer in the form that was asked for; it begins with "${start}".`,
    hint: 'Try another model in judge.model of longhaul.yaml.',
    retry: 'later',
  })
}

function noSuchJudge({ driver }: JudgeSettings): Problem {
  return problem({
    code: 'driver-unknown',
    message: `The judge ${driver} is not part of this version.`,
    hint: 'Set judge.driver in longhaul.yaml to agent, ollama or openai.',
    retry: 'person',
  })
}
