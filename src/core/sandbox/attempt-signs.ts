import { type Problem, problem } from '../model/problem.ts'

/** Observations about the process that runs the command line. */
export interface AttemptSigns {
  /** True when the first process of its pid namespace is one that Longhaul started. */
  readonly isInNamespace: boolean
  /** True when it descends from a program that Longhaul recorded, or shares its session or group. */
  readonly hasRecordedAncestor: boolean
  /** True when its environment is that of an attempt. */
  readonly hasVariable: boolean
  /** True when its working folder lies in a workspace or checkout. */
  readonly isInWorkspace: boolean
  readonly hasTerminal: boolean
}

/** Says by which sign a process belongs to an attempt or a check; null for a process of a person. */
export function attemptSign(signs: AttemptSigns): string | null {
  if (signs.isInNamespace) return 'it runs in a pid namespace of Longhaul'
  if (signs.hasRecordedAncestor) return 'a program that Longhaul started has started it'
  if (signs.hasVariable) return 'the variable LONGHAUL_ATTEMPT is set'
  // People look around in workspaces, too: in a terminal, which no program of ours has.
  return signs.isInWorkspace && !signs.hasTerminal ? 'it runs in a workspace, without a terminal' : null
}

/** True for verbs that read, or write no more than files that the caller could write as well. */
export function isOpenToAgents(verb: string, options: Readonly<Record<string, unknown>>): boolean {
  const closing = OPEN_TO_AGENTS[verb]
  return closing?.every((option) => options[option] === undefined) ?? false
}

// With the options that make them change something. A verb that is not listed is for people only.
const OPEN_TO_AGENTS: Readonly<Record<string, readonly string[]>> = {
  init: [],
  status: [],
  show: [],
  diff: [],
  log: [],
  config: [],
  doctor: ['fix', 'baseline'],
  gc: ['yes'],
  lab: [],
  completion: [],
}

/** Refuses a verb to a process that belongs to an attempt. */
export function onlyForPeople(verb: string, sign: string): Problem {
  return problem({
    code: 'only-for-people',
    message: `"longhaul ${verb}" is for people, and this call comes from inside an attempt: ${sign}.`,
    hint: 'An agent reports, asks and proposes tasks with its tools. A person calls this outside of the attempt.',
    retry: 'never',
  })
}
