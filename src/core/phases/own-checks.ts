import type { AttemptSpec } from '../model/attempt.ts'
import type { Check } from '../model/effect.ts'
import type { GateSettings } from '../model/settings.ts'
import type { Task } from '../model/task.ts'
import { type Finding, finding } from '../model/verdict.ts'

const VERIFY_TIMEOUT_MS = 600_000

/** Returns the commands that must pass for tasks: the gates, then the tasks' `verify`. */
export function checksOf(gates: readonly GateSettings[], tasks: readonly Task[]): readonly Check[] {
  const own = tasks.flatMap((task) =>
    task.verify.map((run, index) => ({
      name: `${task.id} verify ${index + 1}`,
      run,
      onFail: 'block' as const,
      timeoutMs: VERIFY_TIMEOUT_MS,
      coverage: null,
      canary: null,
    })),
  )
  return [...gates.filter((gate) => gate.onFail !== 'skip'), ...own]
}

/** Returns the findings of built-in checks on an attempt's commit, before any command runs. */
export function ownFindings(
  spec: AttemptSpec,
  checkpoint: {
    readonly changed: number
    readonly nested: readonly string[]
  },
): readonly Finding[] {
  if (checkpoint.changed === 0) {
    return [finding('diff', `nothing has changed since ${spec.base.slice(0, 10)}`)]
  }
  const findings: Finding[] = []
  if (checkpoint.nested.length > 0) {
    const message = `repositories inside the folder cannot land with it: ${checkpoint.nested.join(', ')}. Commit inside them or remove them.`
    findings.push(finding('nested', message))
  }
  return findings
}
