import { CONFIDENCE_CLARIFY, CONFIDENCE_PROCEED } from '../limits/limits.ts'
import { type Opinion, type OpinionDecision, QUALITIES } from '../model/opinion.ts'

/** Thresholds for an opinion. */
export interface OpinionContext {
  /** Minimum of each score. */
  readonly qualityMin: number
  /** True when the work may be sent back once more. */
  readonly mayReturn: boolean
}

/** Decides what follows a judge's opinion on work that has passed its checks. */
export function decideOnOpinion(
  opinion: Opinion,
  { qualityMin, mayReturn }: OpinionContext,
): { readonly decision: OpinionDecision; readonly why: string } {
  const { confidence, why: comment } = opinion
  const because = (text: string) => (comment === '' ? text : `${text}: ${comment}`)
  if (confidence < CONFIDENCE_CLARIFY) {
    return { decision: 'escalate', why: because(`the judge is unsure (confidence ${scoreText(confidence)})`) }
  }
  if (confidence < CONFIDENCE_PROCEED) {
    return { decision: 'clarify', why: because(`the judge is not confident (confidence ${scoreText(confidence)})`) }
  }
  const low = QUALITIES.filter((name) => opinion.quality[name] < qualityMin)
  if (low.length === 0) return { decision: 'proceed', why: because('the judge finds it good') }
  const short = `${low.map((name) => `${name} ${scoreText(opinion.quality[name])}`).join(', ')} of ${scoreText(qualityMin)}`
  if (mayReturn) return { decision: 'retry', why: because(short) }
  return { decision: 'escalate', why: because(`${short}, and the work cannot go back again`) }
}

/** Returns a score with two digits, never rounded up over a threshold. */
export function scoreText(value: number): string {
  return (Math.floor(value * 100 + 1e-9) / 100).toFixed(2)
}
