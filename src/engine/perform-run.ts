import type { RunEffect } from '../core/model/effect.ts'
import type { AttemptId } from '../core/model/ids.ts'
import type { RunReport } from '../core/model/input.ts'
import { unwrap } from '../core/model/problem.ts'
import { finding } from '../core/model/verdict.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Conflict, LandingHeld } from '../ports/landing.ts'
import { checkCommit } from './check-commit.ts'
import { type ComparedWork, compareWork } from './compare-work.ts'
import { KnownReceipts } from './known-receipts.ts'
import { sumUp } from './sum-up.ts'
import type { Performed } from './under-way.ts'

type Own = Exclude<RunEffect, { kind: 'work-attempt' | 'tell-attempt' }>
type Checking = Extract<RunEffect, { kind: 'check-candidate' | 'check-baseline' }>

/** Does what is due for a run's landing line, its candidates and its target. Throws problems. */
export async function performRun(
  ports: EnginePorts,
  effect: Own,
  signal: AbortSignal,
): Promise<Performed<RunReport> | null> {
  const { landing } = ports
  switch (effect.kind) {
    case 'open-line':
      return { report: unwrap(await landing.openLine(effect.target)) }
    case 'check-baseline':
    case 'check-candidate':
      return check(ports, effect, signal)
    case 'prepare-candidate':
      return { report: preparedReport(unwrap(await landing.prepare(effect.landing, effect.subject, effect.order))) }
    case 'advance-line':
      return { report: unwrap(await landing.advance(effect.landing, effect.target, effect.from, effect.to)) }
    case 'summarize-milestone':
      return sumUp(ports, effect, signal)
    case 'follow-target':
      return { report: unwrap(await landing.followTarget(effect.target, effect.commit, effect.lastSeen)) }
  }
}

function preparedReport<T extends { readonly kind: string }>(result: T | Conflict | LandingHeld): RunReport {
  if (result.kind !== 'conflict') return result as RunReport
  const { line, files } = result as Conflict
  const message = `it conflicts with what has landed, in ${files.join(', ')}; the landed commit is ${line}. Merge it ("git merge ${line}"), resolve the conflicts and commit.`
  return { kind: 'conflict', line, findings: [finding('merge', message)] }
}

/** What an attempt's work is weighed against; what a person wanted, or did, is nobody's work. */
function workOf(
  landing: EnginePorts['landing'],
  { base, target, commit, checks }: Extract<Checking, { kind: 'check-candidate' }>,
): Promise<ComparedWork> | null {
  return base === null ? null : compareWork(landing, checks, { base, target, commit })
}

async function check(ports: EnginePorts, effect: Checking, signal: AbortSignal): Promise<Performed<RunReport> | null> {
  const name = effect.kind === 'check-baseline' ? 'baseline' : effect.landing
  const { workspaces, gate, landing } = ports
  const work = effect.kind === 'check-candidate' ? workOf(landing, effect) : null
  const attempt = name as string as AttemptId
  const makeRoom = work === null ? null : (path: string) => workspaces.ownFile(attempt, path)
  const means = { gate, known: new KnownReceipts(ports), work, makeRoom }
  const { verdict, blobs } = unwrap(await checkCommit(workspaces, means, { ...effect, name }, signal))
  if (signal.aborted) return null
  if (!verdict.passed && effect.kind === 'check-candidate') await ports.landing.unpin(effect.landing)
  return { report: { kind: 'checked', verdict }, blobs }
}
