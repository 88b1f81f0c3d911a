import type { AttemptEffect, Check, RoundOrder } from '../core/model/effect.ts'
import type { AttemptId, LandingId } from '../core/model/ids.ts'
import type { AttemptReport } from '../core/model/input.ts'
import { problem, unwrap } from '../core/model/problem.ts'
import type { HandOverMoment } from '../core/model/round.ts'
import { readReport, withoutClaim } from '../core/phases/read-report.ts'
import { readNote } from '../core/reading/read-note.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { OnNote } from '../ports/workspaces.ts'
import { compareWork } from './compare-work.ts'
import { blobOf, type EffectResult, NO_BLOB } from './effect-result.ts'
import { performOpinion } from './judge-effects.ts'
import type { OpenAttempt } from './open-attempt.ts'
import { performRound, type RoundResult } from './perform-round.ts'
import { ReceiptCache } from './receipt-cache.ts'
import { runChecks, setupFinding } from './run-checks.ts'
import { runVariant } from './run-variant.ts'
import { tryVerify } from './try-verify.ts'

/** Performs an effect of an attempt; effects in the workspace first end all processes there. Throws problems. */
export async function performAttempt(
  ports: EnginePorts,
  effect: AttemptEffect,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<EffectResult<AttemptReport> | null> {
  switch (effect.kind) {
    case 'hand-over':
      return handOver(attempt, effect.when, signal)
    case 'deliver-steering':
      return deliverSteering(ports, effect, attempt, signal)
    case 'ask-judge':
      return performOpinion(ports, effect, attempt, signal)
    case 'try-verify': {
      const alreadyGreen = await tryVerify(ports, effect, signal)
      return signal.aborted ? null : { report: { kind: 'verify-tried', alreadyGreen } }
    }
    default:
      await endProcesses(ports, attemptOf(effect), attempt)
      attempt.workspace.isEmpty = !startsProcesses(effect)
      return performInWorkspace(ports, effect, attempt, signal)
  }
}

type WorkspaceEffect = Exclude<AttemptEffect, { kind: 'hand-over' | 'deliver-steering' | 'ask-judge' | 'try-verify' }>

async function performInWorkspace(
  ports: EnginePorts,
  effect: WorkspaceEffect,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<EffectResult<AttemptReport> | null> {
  const { workspaces, landing } = ports
  const onNote: OnNote = (text) => void attempt.post({ kind: 'notice', text })
  switch (effect.kind) {
    case 'ensure-workspace':
      return { report: await ensureWorkspace(ports, effect, onNote, signal) }
    case 'run-round': {
      const result = unwrap(await performRound(ports, effect.round, attempt, signal))
      await endProcesses(ports, effect.round.attempt, attempt)
      return roundReport(effect.round, result)
    }
    case 'checkpoint': {
      const { spec, last, message, amends, includesHistory } = effect
      const checkpoint = unwrap(await workspaces.checkpoint(spec, last, message, amends))
      const history = includesHistory ? blobOf(unwrap(await workspaces.history(spec, checkpoint.commit))) : NO_BLOB
      return { report: { ...checkpoint, kind: 'checkpointed', history: history.digest }, blobs: history.blobs }
    }
    case 'run-checks':
      return checkWork(ports, effect, attempt, signal)
    case 'release-workspace': {
      const { spec, commit, landed } = effect
      if (!landed) await landing.unpin(landingOf(spec.attempt))
      const released = unwrap(await workspaces.release(spec, commit, landed ? 'landed' : 'keep', onNote))
      return { report: { kind: 'released', kept: released.kept, salvage: released.salvage } }
    }
  }
}

/** Ends all processes in the workspace, unless none was started there since the last time. */
async function endProcesses({ workspaces }: EnginePorts, id: AttemptId, { workspace }: OpenAttempt): Promise<void> {
  if (!workspace.isEmpty) unwrap(await workspaces.endProcesses(id))
  workspace.isEmpty = true
}

/** True when the effect runs commands of the user or of an agent in the workspace. */
function startsProcesses(effect: WorkspaceEffect): boolean {
  if (effect.kind === 'checkpoint') return false
  if (effect.kind !== 'ensure-workspace') return true
  const { setup, hooks } = effect.spec.workspace
  return setup.length > 0 || hooks.afterCreate !== null
}

function attemptOf(effect: WorkspaceEffect): AttemptId {
  return effect.kind === 'run-round' ? effect.round.attempt : effect.spec.attempt
}

/** Landing ID of an attempt's work. */
function landingOf(attempt: AttemptId): LandingId {
  return attempt as string as LandingId
}

/** Reads the agent's report, or the note of a session that was handed over. */
function roundReport({ role }: RoundOrder, { end, answer }: RoundResult): EffectResult<AttemptReport> {
  if (end.kind !== 'context-exhausted') {
    // The plan itself is the result of a planner's phase, so its text is kept.
    const { digest, blobs } = blobOf(role === 'planner' ? withoutClaim(answer?.words ?? '') : '')
    const words = answer === null ? null : { report: answer.report ?? readReport(role, answer.words), digest }
    return { report: { kind: 'round-ended', end, note: null, words }, blobs }
  }
  const { quality, text } = readNote(end.note)
  const { digest, blobs } = blobOf(text)
  return { report: { kind: 'round-ended', end, note: { digest, quality }, words: null }, blobs }
}

/** Asks the agent to hand over, once; the effect then lasts until the round has ended. */
async function handOver({ round }: OpenAttempt, when: HandOverMoment, signal: AbortSignal): Promise<null> {
  round.handOver(when)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return null
}

/** Sends a person's words to the agent; posts immediately whether it took them, because this is never repeated. */
async function deliverSteering(
  { transcripts }: EnginePorts,
  { attempt: id, round, number, text }: Extract<AttemptEffect, { kind: 'deliver-steering' }>,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<null> {
  const isAccepted = await attempt.round.say(text, signal)
  if (isAccepted === null) return null
  void attempt.post({ kind: 'steering-result', number, round, isAccepted })
  if (isAccepted) transcripts.write(id, round, { kind: 'prompt', text })
  return null
}

async function ensureWorkspace(
  { workspaces }: EnginePorts,
  { spec, commit }: Extract<AttemptEffect, { kind: 'ensure-workspace' }>,
  onNote: OnNote,
  signal: AbortSignal,
): Promise<AttemptReport> {
  const workspace = unwrap(await workspaces.ensure(spec, commit, signal, onNote))
  if (typeof workspace === 'string') return { kind: 'workspace-made', commit: workspace }
  const finding = setupFinding(workspace)
  const failed = problem({
    code: 'setup-failed',
    message: `the workspace could not be set up: ${finding.message}`,
    hint: 'Fix workspace.setup or the hook in longhaul.yaml, then retry the task.',
    retry: 'person',
  })
  return { kind: 'setup-failed', problem: failed, findings: [finding] }
}

async function checkWork(
  ports: EnginePorts,
  { spec, commit, tree, checks }: Extract<AttemptEffect, { kind: 'run-checks' }>,
  attempt: OpenAttempt,
  signal: AbortSignal,
): Promise<EffectResult<AttemptReport> | null> {
  const { gate, workspaces } = ports
  const env = { LONGHAUL_ATTEMPT: spec.attempt, LONGHAUL_TASK: spec.tasks[0]?.id ?? '' }
  const { setup } = spec.workspace
  const place = { folder: workspaces.folder(spec.attempt), place: 'workspace' as const, setup, commit, tree, env }
  const work = compareWork(ports, checks, { target: spec.target, commit, base: null, guard: spec.guard })
  const setting = { setup, setupMs: spec.bounds.setupMs }
  const options = {
    gate,
    receiptCache: new ReceiptCache(ports),
    work,
    runOnBase: async (check: Check) => {
      const { base } = await work
      const order = { name: `${spec.attempt}+base`, commit: base, files: [], plant: null, check, setting }
      return runVariant(ports, order, signal)
    },
    reserveOutputFile: (path: string) => workspaces.reserveAgentFile(spec.attempt, path),
  }
  const { verdict, blobs } = await runChecks(options, checks, place, signal)
  await endProcesses(ports, spec.attempt, attempt)
  return signal.aborted ? null : { report: { kind: 'checked', verdict }, blobs }
}
