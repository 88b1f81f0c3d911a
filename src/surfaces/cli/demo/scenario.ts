import { NOTE_REQUEST } from '../../../core/prompts/hand-off.ts'
import { type DemoRound, type DemoStep, NOTE, ROUNDS } from './rounds.ts'

/** Scenario of the lab's model in the demo, as its scenario.yaml holds it. */
export function demoScenario(): object {
  const [noteRequest = ''] = NOTE_REQUEST.split('.', 1)
  return { rules: [{ match: noteRequest, steps: [{ say: NOTE }] }, ...ROUNDS.map(labRule)] }
}

function labRule({ task, session, round, steps, ...figures }: DemoRound): object {
  return {
    task,
    ...(session === undefined ? {} : { session }),
    ...(round === undefined ? {} : { round }),
    steps: steps.map((step, index) => labStep(step, index, figures)),
  }
}

const NEW_TOKENS = 900

function labStep(step: DemoStep, index: number, figures: Pick<DemoRound, 'context' | 'fullContext' | 'limitSeconds'>) {
  const { context, fullContext = context, limitSeconds } = figures
  const before = index === 0 ? context : fullContext
  return {
    ...step,
    usage: { input: 40, cacheRead: before + index * NEW_TOKENS, cacheWrite: NEW_TOKENS, output: 400 },
    ...(index === 0 && limitSeconds !== undefined ? { fault: { limit: `+${limitSeconds}` } } : {}),
  }
}

/** Script of the scripted agent in the demo, as its script.yaml holds it. */
export function demoScript(): readonly object[] {
  return ROUNDS.flatMap(scriptRules)
}

const WINDOW = 200_000
const THINK_SECONDS = 0.5

function scriptRules({
  task,
  session,
  round,
  steps,
  context,
  fullContext,
  limitSeconds,
}: DemoRound): readonly object[] {
  const think = [{ wait: THINK_SECONDS }, { usage: { input: 900, cacheRead: context, output: 900, window: WINDOW } }]
  const first = session ?? round
  const played = { task, ...(first === undefined ? {} : { round: first }), steps: [...think, ...steps] }
  if (fullContext !== undefined) {
    return [{ ...played, steps: [...think, ...steps.slice(0, 1), { note: NOTE }, { end: 'context-exhausted' }] }]
  }
  if (limitSeconds === undefined) return [played]
  return [{ task, round: 1, steps: [...think, { end: 'rate-limited', resetAt: `+${limitSeconds}` }] }, played]
}
