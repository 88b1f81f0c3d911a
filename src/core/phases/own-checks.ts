import type { AttemptSpec } from '../model/attempt.ts'
import type { Check } from '../model/effect.ts'
import type { GateSettings } from '../model/settings.ts'
import type { Task } from '../model/task.ts'
import { type Finding, finding } from '../model/verdict.ts'

const VERIFY_TIMEOUT_MS = 600_000

/** The commands that must pass for these tasks: the gates, then the tasks' own. */
export function checksOf(gates: readonly GateSettings[], tasks: readonly Task[]): readonly Check[] {
  const own = tasks.flatMap((task) =>
    task.verify.map((run, index) => ({
      name: `${task.id} verify ${index + 1}`,
      run,
      onFail: 'block' as const,
      timeoutMs: VERIFY_TIMEOUT_MS,
      coverage: null,
    })),
  )
  return [...gates.filter((gate) => gate.onFail !== 'skip'), ...own]
}

/** What we find ourselves in an attempt's commit, before any command runs. */
export function ownFindings(
  spec: AttemptSpec,
  made: {
    readonly changed: number
    readonly protectedChanged: readonly string[]
    readonly nested: readonly string[]
  },
): readonly Finding[] {
  if (made.changed === 0) {
    return [finding('diff', `nothing has changed since ${spec.base.slice(0, 10)}`)]
  }
  const findings: Finding[] = []
  if (made.protectedChanged.length > 0) {
    const files = made.protectedChanged.join(', ')
    const message = `files that only a person may change were changed: ${files}. Restore them as they were.`
    findings.push(finding('protect', message, { needsPerson: true }))
  }
  if (made.nested.length > 0) {
    const message = `repositories inside the folder cannot land with it: ${made.nested.join(', ')}. Commit inside them or remove them.`
    findings.push(finding('nested', message))
  }
  return findings
}
