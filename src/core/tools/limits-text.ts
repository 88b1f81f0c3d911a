import { type AttemptState, specOf } from '../attempt/state.ts'
import { occupancy } from '../context/occupancy.ts'

/** What an agent's round may still take, for the agent to plan by. */
export function limitsText(attempt: AttemptState): string {
  return [turnsText(attempt), moneyText(attempt), roomText(attempt)].join('\n')
}

function turnsText({ doing, roundTurns }: AttemptState): string {
  if (doing.kind !== 'round') return 'No round is going on.'
  return `Turns: ${roundTurns} of ${doing.turnsMax} in this round.`
}

function moneyText(attempt: AttemptState): string {
  const { allowance } = specOf(attempt)
  const spent = `$${attempt.totals.usd.toFixed(2)}`
  if (allowance === null) return `Money: ${spent} spent, no limit.`
  return `Money: ${spent} of $${allowance.usd.toFixed(2)}, which is what the budget of the ${allowance.budget} has for this attempt.`
}

function roomText(attempt: AttemptState): string {
  const { context } = specOf(attempt)
  const { used = null, window = null } = attempt.session ?? {}
  const held = occupancy(used, window, context)
  if (held === null) return 'Room in your session: not known.'
  const isHandedOver = context.policy === 'hand-off' && context.handOff <= 1
  const then = isHandedOver ? `; at ${percent(context.handOff)} you hand over to a fresh one` : ''
  return `Room in your session: ${percent(held.share)} is taken${then}.`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
