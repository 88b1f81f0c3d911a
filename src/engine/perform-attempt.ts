import { readNote } from '../core/context/read-note.ts'
import type { AttemptEffect, RoundOrder } from '../core/model/effect.ts'
import type { AttemptId, LandingId } from '../core/model/ids.ts'
import type { AttemptReport } from '../core/model/input.ts'
import { problem, unwrap } from '../core/model/problem.ts'
import type { HandOverMoment } from '../core/model/round.ts'
import { withoutClaim } from '../core/phases/claim-in.ts'
import { readReport } from '../core/phases/read-report.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Note } from '../ports/workspaces.ts'
import { askForOpinion } from './ask-for-opinion.ts'
import { blobOf, NO_BLOB } from './blob.ts'
import { compareWork } from './compare-work.ts'
import { KnownReceipts } from './known-receipts.ts'
import { performRound, type RoundOver, type RoundVoices } from './perform-round.ts'
import { runChecks, setupFinding } from './run-checks.ts'
import type { Performed } from './under-way.ts'

/** Does what is due for an attempt, in a workspace proven empty of earlier processes. Throws problems. */
export async function performAttempt(
  ports: EnginePorts,
  effect: AttemptEffect,
  voices: RoundVoices,
  signal: AbortSignal,
): Promise<Performed<AttemptReport> | null> {
  const { workspaces } = ports
  const note: Note = (text) => voices.say({ kind: 'notice', text })
  if (effect.kind === 'hand-over') return handOver(voices, effect.when, signal)
  if (effect.kind === 'ask-judge') return askForOpinion(ports, effect, voices.say, signal)
  if (effect.kind === 'deliver-steering') return sayInto(ports, effect, voices, signal)
  await empty(ports, attemptOf(effect), voices)
  voices.workspace.isEmpty = !startsProcesses(effect)
  switch (effect.kind) {
    case 'ensure-workspace':
      return { report: await ensureWorkspace(ports, effect, note, signal) }
    case 'run-round': {
      const over = unwrap(await performRound(ports, effect.round, voices, signal))
      await empty(ports, effect.round.attempt, voices)
      return roundReport(effect.round, over)
    }
    case 'checkpoint': {
      const made = unwrap(await workspaces.checkpoint(effect.spec, effect.last, effect.message, effect.amends))
      const history = effect.tellsHistory ? blobOf(unwrap(await workspaces.history(effect.spec, made.commit))) : NO_BLOB
      return { report: { ...made, kind: 'checkpointed', history: history.digest }, blobs: history.blobs }
    }
    case 'run-checks':
      return judge(ports, effect, voices, signal)
    case 'release-workspace': {
      if (!effect.landed) await ports.landing.unpin(landingOf(effect.spec.attempt))
      const { kept, salvage } = unwrap(
        await workspaces.release(effect.spec, effect.commit, effect.landed ? 'landed' : 'keep', note),
      )
      return { report: { kind: 'released', kept, salvage } }
    }
  }
}

/** Ends what works in the workspace; nothing is looked for where nothing was started since the last time. */
async function empty({ workspaces }: EnginePorts, attempt: AttemptId, { workspace }: RoundVoices): Promise<void> {
  if (!workspace.isEmpty) unwrap(await workspaces.empty(attempt))
  workspace.isEmpty = true
}

/** Whether commands run in the workspace that are not ours. */
function startsProcesses(effect: AttemptEffect): boolean {
  if (effect.kind === 'checkpoint') return false
  if (effect.kind !== 'ensure-workspace') return true
  const { setup, hooks } = effect.spec.workspace
  return setup.length > 0 || hooks.afterCreate !== null
}

/** The landing queue's entry of an attempt. */
function landingOf(attempt: AttemptId): LandingId {
  return attempt as string as LandingId
}

function attemptOf(
  effect: Exclude<AttemptEffect, { kind: 'hand-over' | 'deliver-steering' | 'ask-judge' }>,
): AttemptId {
  return effect.kind === 'run-round' ? effect.round.attempt : effect.spec.attempt
}

/** How a round ended, with the note of a session that had to hand over apart, and what its last words come to. */
function roundReport({ role }: RoundOrder, { end, answer }: RoundOver): Performed<AttemptReport> {
  if (end.kind !== 'context-exhausted') {
    // What a planner says is what its phase is for.
    const { digest, blobs } = blobOf(role === 'planner' ? withoutClaim(answer?.words ?? '') : '')
    const said = answer === null ? null : { report: answer.report ?? readReport(role, answer.words), digest }
    return { report: { kind: 'round-ended', end, note: null, words: said }, blobs }
  }
  const { quality, text } = readNote(end.note)
  const { digest, blobs } = blobOf(text)
  return { report: { kind: 'round-ended', end, note: { digest, quality }, words: null }, blobs }
}

/** Goes on until the round is over: whoever is asked twice stops no sooner. */
async function handOver({ going }: RoundVoices, when: HandOverMoment, signal: AbortSignal): Promise<null> {
  going.handOver(when)
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return null
}

/** Never done twice: whether the agent took it is told at once, before anything else of this round can be. */
async function sayInto(
  { transcripts }: EnginePorts,
  { attempt, round, number, text }: Extract<AttemptEffect, { kind: 'deliver-steering' }>,
  { going, say }: RoundVoices,
  signal: AbortSignal,
): Promise<null> {
  const isAccepted = await going.say(text, signal)
  if (isAccepted === null) return null
  say({ kind: 'steering-result', number, round, isAccepted })
  if (isAccepted) transcripts.write(attempt, round, { kind: 'prompt', text })
  return null
}

async function ensureWorkspace(
  { workspaces }: EnginePorts,
  { spec, commit }: Extract<AttemptEffect, { kind: 'ensure-workspace' }>,
  note: Note,
  signal: AbortSignal,
): Promise<AttemptReport> {
  const made = unwrap(await workspaces.ensure(spec, commit, signal, note))
  if (typeof made === 'string') return { kind: 'workspace-made', commit: made }
  const finding = setupFinding(made)
  const failed = problem({
    code: 'setup-failed',
    message: `the workspace could not be made ready: ${finding.message}`,
    hint: 'Mend workspace.setup or the hook in longhaul.yaml, then retry the task.',
    retry: 'person',
  })
  return { kind: 'setup-failed', problem: failed, findings: [finding] }
}

async function judge(
  ports: EnginePorts,
  { spec, commit, tree, checks }: Extract<AttemptEffect, { kind: 'run-checks' }>,
  voices: RoundVoices,
  signal: AbortSignal,
): Promise<Performed<AttemptReport> | null> {
  const { gate, workspaces } = ports
  const env = { LONGHAUL_ATTEMPT: spec.attempt, LONGHAUL_TASK: spec.tasks[0]?.id ?? '' }
  const { setup } = spec.workspace
  const place = { folder: workspaces.folder(spec.attempt), place: 'workspace' as const, setup, commit, tree, env }
  const work = compareWork(ports.landing, checks, { target: spec.target, commit, base: null })
  const makeRoom = (path: string) => workspaces.ownFile(spec.attempt, path)
  const means = { gate, known: new KnownReceipts(ports), work, makeRoom }
  const { verdict, blobs } = await runChecks(means, checks, place, signal)
  await empty(ports, spec.attempt, voices)
  return signal.aborted ? null : { report: { kind: 'checked', verdict }, blobs }
}
