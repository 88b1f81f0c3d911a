import { type Problem, problem } from '../../core/model/problem.ts'
import type { JudgeSettings } from '../../core/model/settings.ts'
import { judgeAsSubject } from '../../core/phases/judge-agent.ts'

/** Nobody answers at the judge's address. */
export function unreachable(judge: JudgeSettings, why: string, cause: unknown): Problem {
  return problem({
    code: 'judge-unreachable',
    message: `The judge at ${judge.url} cannot be reached: ${why}.`,
    hint: 'Start it, or mend judge.url in longhaul.yaml.',
    retry: 'later',
    cause,
  })
}

/** The endpoint answers, and will not give an opinion. */
export function refusedBy(judge: JudgeSettings, status: number, why: string): Problem {
  return problem({
    code: 'judge-refused',
    message: `The judge at ${judge.url} answers with status ${status}${why === '' ? '' : `: ${why}`}.`,
    hint: 'Look at judge.model, judge.url and judge.key in longhaul.yaml.',
    retry: status >= 500 || status === 429 ? 'later' : 'person',
  })
}

/** An answer that nothing can be made of. */
export function unreadable(judge: JudgeSettings, why: string): Problem {
  return problem({
    code: 'judge-unreadable',
    message: `${judgeAsSubject(judge)} says nothing of use: ${why}.`,
    hint: 'Try another model in judge.model of longhaul.yaml.',
    retry: 'later',
  })
}

/** Nobody wants to know any more. */
export function calledOff(): Problem {
  return problem({
    code: 'cancelled',
    message: 'The judge was not waited for any longer.',
    hint: 'It is asked again when it is needed.',
    retry: 'later',
  })
}
