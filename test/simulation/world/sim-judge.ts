import { problem } from '../../../src/core/model/problem.ts'
import type { Judge } from '../../../src/ports/judge.ts'
import type { Random } from './random.ts'
import type { SimTime } from './sim-time.ts'

const BEHAVIOURS = ['answers', 'answers', 'fails', 'hangs', 'answers nonsense', 'is too slow'] as const

/** A judge that at random answers, fails, hangs, answers nonsense, or exceeds every timeout. */
export function simJudge(random: Random, time: SimTime): Judge {
  return {
    async ask() {
      const behaviour = random.pick(BEHAVIOURS)
      if (behaviour === 'hangs') return new Promise<never>(() => {})
      await time.sleep(behaviour === 'is too slow' ? 20_000 + random.below(20_000) : random.below(3_000))
      if (behaviour === 'fails') {
        return problem({ code: 'judge-unreachable', message: 'The judge does not answer.', hint: '', retry: 'later' })
      }
      return behaviour === 'answers nonsense' ? 'Let me think about {that}.' : JSON.stringify(opinion(random))
    },
  }
}

/** Returns a summary and an opinion in one object: their fields do not overlap, so it answers both questions. */
function opinion(random: Random) {
  const share = () => random.pick([0.2, 0.4, 0.6, 0.8, 0.9, 1])
  return {
    accomplished: ['a part'],
    decisions: [],
    state: ['fine'],
    issues: [],
    next: ['go on'],
    quality: { syntax: share(), requirements: share(), quality: share(), testing: share() },
    confidence: random.pick([0.3, 0.6, 0.8, 0.9, 0.95]),
    findings: ['something is missing'],
    why: 'as it is',
  }
}
