import type { z } from 'zod'
import type { PhaseSpec, Role } from '../core/model/workflow.ts'
import { isReader, roleOfPhase } from '../core/phases/roles.ts'

/** Checks that a workflow can finish: an agent works in it, names are unique, and work that goes back can advance again. */
export function phasesFit({ phases }: { readonly phases: readonly PhaseKeys[] }, rule: z.RefinementCtx): void {
  if (!phases.some(isWork)) {
    complain(rule, ['phases'], 'a list with a phase in which an agent changes files', 'Add "- { name: implement }".')
  }
  for (const [index, phase] of phases.entries()) {
    const before = phases.slice(0, index)
    const names = before.map(({ name }) => name)
    if (names.includes(phase.name)) {
      complain(rule, ['phases', index, 'name'], 'a name that no other phase has', 'Rename it.')
    }
    if (phase.by === 'script' && !before.some(isWork)) {
      const hint = 'Move it after "implement", or another phase in which an agent changes files.'
      complain(rule, ['phases', index, 'by'], 'agent or person, because there is nothing to check yet', hint)
    }
    const fault = backToFault(phase, before)
    if (fault !== null) complain(rule, ['phases', index, 'back_to'], fault.message, fault.hint)
  }
}

/** Checks that breakpoints can be reached: before a phase of some workflow, or before landing. */
export function breakpointsAreMet(
  {
    breakpoints,
    workflows,
  }: { readonly breakpoints: readonly { readonly before: string }[]; readonly workflows: NamedPhases },
  rule: z.RefinementCtx,
): void {
  const phases = Object.values(workflows).flatMap((workflow) => workflow?.phases.map(({ name }) => name) ?? [])
  const known = [...new Set([...phases, 'landing'])]
  for (const [index, { before }] of breakpoints.entries()) {
    if (known.includes(before)) continue
    const hint = `Use one of: ${known.join(', ')}.`
    complain(rule, ['breakpoints', index, 'before'], 'a phase of some workflow, or landing', hint)
  }
}

type NamedPhases = Readonly<Record<string, { readonly phases: readonly { readonly name: string }[] } | undefined>>

/** True for a phase in which an agent changes files. */
export function isWork(phase: PhaseKeys): boolean {
  return phase.by === 'agent' && !isReader(roleOfPhase(phase))
}

function backToFault(phase: PhaseKeys, before: readonly PhaseKeys[]): Fault | null {
  const { back_to: to } = phase
  if (to === undefined || to === null) return null
  const works = before.filter(isWork).map(({ name }) => name)
  if (isWork(phase)) works.push(phase.name)
  if (works.includes(to)) return null
  const known = before.some(({ name }) => name === to) || to === phase.name
  return known
    ? { message: 'a phase in which an agent changes files, or the work would loop forever', hint: hintFor(works) }
    : { message: 'the name of a phase before it', hint: hintFor(works) }
}

/** Keys of a phase that the rules check. */
interface PhaseKeys {
  readonly name: string
  readonly by: PhaseSpec['by']
  readonly role?: Role | undefined
  readonly back_to?: string | null | undefined
}

interface Fault {
  readonly message: string
  readonly hint: string
}

function hintFor(names: readonly string[]): string {
  return names.length === 0 ? 'Leave it out.' : `Use ${names.join(' or ')}, or leave it out.`
}

function complain(rule: z.RefinementCtx, path: (string | number)[], message: string, hint: string): void {
  rule.addIssue({ code: 'custom', path, message, params: { hint } })
}
