import { problem } from '../../../src/core/model/problem.ts'
import type { Judge } from '../../../src/ports/judge.ts'
import type { Random } from './random.ts'
import type { SimTime } from './sim-time.ts'

const WAYS = ['answers', 'answers', 'fails', 'hangs', 'babbles', 'dawdles'] as const

/** A judge that may answer, fail, hang, babble or take longer than anybody waits. */
export function simJudge(random: Random, time: SimTime): Judge {
  return {
    async ask() {
      const way = random.pick(WAYS)
      if (way === 'hangs') return new Promise<never>(() => {})
      await time.sleep(way === 'dawdles' ? 20_000 + random.below(20_000) : random.below(3_000))
      if (way === 'fails') {
        return problem({ code: 'judge-unreachable', message: 'Nobody answers.', hint: '', retry: 'later' })
      }
      return way === 'babbles' ? 'Let me think about {that}.' : JSON.stringify(opinion(random))
    },
  }
}

/** Serves whoever asks: a summary and an opinion have no words in common. */
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
