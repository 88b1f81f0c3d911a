import { CONFIDENCE_CLARIFY, CONFIDENCE_PROCEED } from '../limits/limits.ts'
import { type Opinion, type OpinionDecision, QUALITIES } from '../model/opinion.ts'

/** What an opinion is held against. */
export interface OpinionContext {
  /** What each part of the quality must reach. */
  readonly qualityMin: number
  /** Whether the work may go back once more. */
  readonly mayReturn: boolean
}

/** What follows a judge's opinion of work that has passed its checks, and why. */
export function decideOnOpinion(
  opinion: Opinion,
  { qualityMin, mayReturn }: OpinionContext,
): { readonly decision: OpinionDecision; readonly why: string } {
  const { confidence, why: said } = opinion
  const because = (text: string) => (said === '' ? text : `${text}: ${said}`)
  if (confidence < CONFIDENCE_CLARIFY) {
    return { decision: 'escalate', why: because(`the judge cannot tell (confidence ${scoreText(confidence)})`) }
  }
  if (confidence < CONFIDENCE_PROCEED) {
    return { decision: 'clarify', why: because(`the judge is not sure (confidence ${scoreText(confidence)})`) }
  }
  const low = QUALITIES.filter((name) => opinion.quality[name] < qualityMin)
  if (low.length === 0) return { decision: 'proceed', why: because('the judge finds it good') }
  const short = `${low.map((name) => `${name} ${scoreText(opinion.quality[name])}`).join(', ')} of ${scoreText(qualityMin)}`
  if (mayReturn) return { decision: 'retry', why: because(short) }
  return { decision: 'escalate', why: because(`${short}, and the work cannot go back again`) }
}

/** Figures as people read them; never rounded up over a threshold. */
export function scoreText(value: number): string {
  return (Math.floor(value * 100 + 1e-9) / 100).toFixed(2)
}
