import { type DemoRound, NOTE, ROUNDS } from './rounds.ts'

/** The same for the scripted agent, where there is no Claude Code; as its script.yaml holds it. */
export function demoScript(): readonly object[] {
  return ROUNDS.flatMap(rules)
}

const WINDOW = 200_000
const THINK_SECONDS = 0.5

function rules({ task, session, round, steps, context, fullContext, limitSeconds }: DemoRound): readonly object[] {
  const think = [{ wait: THINK_SECONDS }, { usage: { input: 900, cacheRead: context, output: 900, window: WINDOW } }]
  const first = session ?? round
  const played = { task, ...(first === undefined ? {} : { round: first }), steps: [...think, ...steps] }
  if (fullContext !== undefined) {
    return [{ ...played, steps: [...think, ...steps.slice(0, 1), { note: NOTE }, { end: 'context-exhausted' }] }]
  }
  if (limitSeconds === undefined) return [played]
  return [{ task, round: 1, steps: [...think, { end: 'rate-limited', resetAt: `+${limitSeconds}` }] }, played]
}
