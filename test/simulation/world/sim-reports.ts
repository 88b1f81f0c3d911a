import type { Issue, QaResult, Review } from '../../../src/core/model/agent-report.ts'
import type { RoundOrder } from '../../../src/core/model/effect.ts'
import type { Role } from '../../../src/core/model/workflow.ts'
import type { Random } from './random.ts'
import type { SimStep } from './sim-agent.ts'

/** True for roles whose result is a report rather than a change of files. */
export function writesReport(role: Role): role is 'planner' | 'reviewer' | 'qa' {
  return role === 'planner' || role === 'reviewer' || role === 'qa'
}

/** Returns the steps that report on the work, by a tool or as text: mostly a pass, sometimes unreadable. */
export function reportSteps({ role, task, round }: RoundOrder, random: Random): readonly SimStep[] {
  if (random.chance(0.1)) return [{ kind: 'say', text: random.pick(['Splendid!', ' ', '{"decision": "so-so"}']) }]
  if (role === 'planner') return [{ kind: 'say', text: `how to do ${task.id}` }]
  const issues = random.chance(0.2) ? [issueOf(random, round)] : []
  if (role === 'qa') {
    const tests: SimStep = { kind: 'write', path: `${task.id}.test.txt`, text: `good ${round}` }
    return [tests, qaStep({ ...QA, issues: issues.map((issue) => ({ ...issue, reproduction: 'look' })) }, random)]
  }
  return [reviewStep(reviewOf(issues, random), random)]
}

const QA: QaResult = { tests: [], ran: null, coverage: null, documents: [], issues: [] }

/** Returns an issue; some repeat the same message in every round. */
function issueOf(random: Random, round: number): Issue {
  const severity = random.pick(['low', 'medium', 'high'] as const)
  return { severity, file: null, line: null, message: random.pick(['it is wrong', `it is wrong in round ${round}`]) }
}

function reviewOf(issues: readonly Issue[], random: Random): Review {
  const kind = random.chance(0.05) ? 'needs-person' : issues.length > 0 && random.chance(0.8) ? 'fail' : 'pass'
  return { issues, questions: [], positives: [], decision: { kind, reason: 'as it is' } }
}

function reviewStep(review: Review, random: Random): SimStep {
  if (random.chance(0.5)) return { kind: 'call', call: { kind: 'review', review } }
  const { decision, ...rest } = review
  return { kind: 'say', text: JSON.stringify({ ...rest, decision: decision?.kind, reason: decision?.reason }) }
}

function qaStep(qa: QaResult, random: Random): SimStep {
  return random.chance(0.5) ? { kind: 'call', call: { kind: 'qa', qa } } : { kind: 'say', text: JSON.stringify(qa) }
}
