import type { Problem } from '../../core/model/problem.ts'
import type { JudgeSettings } from '../../core/model/settings.ts'
import { unreadable } from './judge-problems.ts'

/** What an endpoint's answer holds; undefined: it has another form than the API's. */
interface Said {
  readonly text: string
  /** Whether the model had to stop before its end. */
  readonly isCut: boolean
}

/** The words of a judge, if they are whole. */
export function saidOf(judge: JudgeSettings, said: Said | undefined): string | Problem {
  if (said === undefined) return unreadable(judge, 'its answer has another form than this driver knows')
  if (said.isCut) return unreadable(judge, 'its answer was too long and ends in the middle')
  return said.text.trim() === '' ? unreadable(judge, 'its answer is empty') : said.text
}
