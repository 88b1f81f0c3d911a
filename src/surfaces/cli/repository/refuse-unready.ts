import type { RoundOrder } from '../../../core/model/effect.ts'
import { unwrap } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { refuse } from '../refusal.ts'
import type { OpenRepository } from './open-repository.ts'
import type { RunFound } from './runs.ts'
import { targetProblem } from './target.ts'

/** Refuses a run that would only fail later, or prove nothing. */
export async function refuseUnready(open: OpenRepository, current: RunFound, settings: Settings): Promise<void> {
  const { summary, run } = current
  if (Object.values(summary.counts).every((count) => count === 0)) {
    refuse('no-tasks', `Run ${run} has no tasks.`, 'Add some: longhaul import FILE')
  }
  unwrap(targetProblem(current, settings))
  if (!(await open.repository.hasBranch(summary.target))) {
    refuse(
      'no-target-branch',
      `Branch ${summary.target}, which work should land on, does not exist.`,
      `Create it again: git branch ${summary.target}`,
    )
  }
  await refuseUnusable(open, settings)
}

/** Refuses settings without checks, or with an agent that cannot start. */
export async function refuseUnusable({ world, tools }: OpenRepository, settings: Settings): Promise<void> {
  if (settings.gates === null) {
    refuse(
      'no-gates',
      'No checks are configured, so nothing would prove what lands.',
      'Add "gates" to longhaul.yaml ("longhaul init" suggests some), or "gates: []" to run without checks.',
    )
  }
  unwrap((await world.adapters()).driverProblem(settings.agent.driver))
  const order: Pick<RoundOrder, 'agent'> = { agent: settings.agent }
  unwrap((await tools.driver(settings.agent.driver)?.ready(order)) ?? null)
}
