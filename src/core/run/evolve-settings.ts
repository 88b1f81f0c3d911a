import type { RunEvent } from '../model/run-event.ts'
import { attemptLimits } from './attempt-limits.ts'
import { attemptRules } from './attempt-spec.ts'
import { sendMessage } from './queues.ts'
import { releaseLine } from './release-line.ts'
import { type RunState, taskOf } from './state.ts'

/** Puts adopted settings in force; messages bring live attempts what changes for them. */
export function evolveSettings(state: RunState, event: Extract<RunEvent, { kind: 'settings-adopted' }>): void {
  state.settings = event.values
  state.settingsDigest = event.digest
  state.settingsFault = null
  state.adoptions += 1
  if (event.changed.some((key) => key === 'gates' || key === 'workspace.setup')) renewChecks(state)
  if (event.changed.length > 0) sendRules(state)
}

/** Checks the baseline again and restarts a landing's checks, because they are other checks now. */
function renewChecks(state: RunState): void {
  if (state.baseline?.isDead === true) releaseLine(state)
  state.baseline = null
  state.checksAdopted = state.adoptions
}

function sendRules(state: RunState): void {
  for (const record of state.attempts.values()) {
    if (record.standing === 'closing' || state.settings === null) continue
    const task = taskOf(state, record.task)
    const rules = attemptRules(state.settings, task.task, attemptLimits(state, task))
    sendMessage(state, record, `settings:${state.adoptions}`, { kind: 'settings', rules })
  }
}
