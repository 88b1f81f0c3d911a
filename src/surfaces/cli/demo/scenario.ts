import { NOTE_REQUEST } from '../../../core/prompts/hand-off.ts'
import { type DemoRound, type DemoStep, NOTE, ROUNDS } from './rounds.ts'

/** What the lab's model does in the demo, as its scenario.yaml holds it. */
export function demoScenario(): object {
  const [asked = ''] = NOTE_REQUEST.split('.', 1)
  return { rules: [{ match: asked, steps: [{ say: NOTE }] }, ...ROUNDS.map(rule)] }
}

function rule({ task, session, round, steps, ...figures }: DemoRound): object {
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
