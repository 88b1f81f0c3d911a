import { type Problem, problem } from '../../core/model/problem.ts'
import type { JudgeSettings } from '../../core/model/settings.ts'
import { judgeAsSubject } from '../../core/phases/judge-agent.ts'

/** No server answers at the judge's address. */
export function unreachable(judge: JudgeSettings, reason: string, cause: unknown): Problem {
  return problem({
    code: 'judge-unreachable',
    message: `The judge at ${judge.url} cannot be reached: ${reason}.`,
    hint: 'Start it, or correct judge.url in longhaul.yaml.',
    retry: 'later',
    cause,
  })
}

/** The endpoint answered with an error status. */
export function refusedBy(judge: JudgeSettings, status: number, reason: string): Problem {
  return problem({
    code: 'judge-refused',
    message: `The judge at ${judge.url} answered with status ${status}${reason === '' ? '' : `: ${reason}`}.`,
    hint: 'Check judge.model, judge.url and judge.key in longhaul.yaml.',
    retry: status >= 500 || status === 429 ? 'later' : 'person',
  })
}

/** The answer cannot be used. */
export function unreadable(judge: JudgeSettings, reason: string): Problem {
  return problem({
    code: 'judge-unreadable',
    message: `${judgeAsSubject(judge)} gave no usable answer: ${reason}.`,
    hint: 'Try another model in judge.model of longhaul.yaml.',
    retry: 'later',
  })
}

/** The question was cancelled before its answer arrived. */
export function cancelled(): Problem {
  return problem({
    code: 'cancelled',
    message: 'The question to the judge was cancelled.',
    hint: 'The judge is asked again when needed.',
    retry: 'later',
  })
}
