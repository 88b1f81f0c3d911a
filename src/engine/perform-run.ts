import type { Check, RunEffect } from '../core/model/effect.ts'
import type { AttemptId } from '../core/model/ids.ts'
import type { RunReport } from '../core/model/input.ts'
import { unwrap } from '../core/model/problem.ts'
import { finding } from '../core/model/verdict.ts'
import { revertConflictText } from '../core/run/revert-conflict.ts'
import type { EnginePorts } from '../ports/engine-ports.ts'
import type { Conflict, LandingHeld, Prepared } from '../ports/landing.ts'
import { type ComparedWork, compareWork } from './compare-work.ts'
import type { EffectResult } from './effect-result.ts'
import { performSummary } from './judge-effects.ts'
import { proveChecks } from './prove-checks.ts'
import { ReceiptCache } from './receipt-cache.ts'
import { checkCommit } from './run-checks.ts'
import { runVariant } from './run-variant.ts'

type CheckEffect = Extract<RunEffect, { kind: 'check-candidate' | 'check-baseline' }>

/** Performs an effect of a run that concerns landing or a milestone. Throws problems. */
export async function performRun(
  ports: EnginePorts,
  effect: Exclude<RunEffect, { kind: 'work-attempt' | 'tell-attempt' }>,
  signal: AbortSignal,
): Promise<EffectResult<RunReport> | null> {
  const { landing } = ports
  switch (effect.kind) {
    case 'open-line':
      return { report: unwrap(await landing.openLine(effect.target)) }
    case 'check-baseline':
    case 'check-candidate':
      return check(ports, effect, signal)
    case 'prepare-candidate':
      return {
        report: candidateReport(effect, unwrap(await landing.prepare(effect.landing, effect.subject, effect.order))),
      }
    case 'advance-line':
      return { report: unwrap(await landing.advance(effect.landing, effect.target, effect.from, effect.to)) }
    case 'summarize-milestone':
      return performSummary(ports, effect, signal)
    case 'follow-target':
      return { report: unwrap(await landing.followTarget(effect.target, effect.commit, effect.lastSeen)) }
  }
}

function candidateReport(
  { subject }: Extract<RunEffect, { kind: 'prepare-candidate' }>,
  result: Prepared | Conflict | LandingHeld,
): RunReport {
  if (result.kind !== 'conflict') return result
  const { line, files, revert } = result
  const message =
    revert === null
      ? `it conflicts with what has landed, in ${files.join(', ')}; the landed commit is ${line}. Merge it ("git merge ${line}"), resolve the conflicts and commit.`
      : revertConflictText(revert, subject.commit)
  return { kind: 'conflict', line, findings: [finding('merge', message)] }
}

async function check(
  ports: EnginePorts,
  effect: CheckEffect,
  signal: AbortSignal,
): Promise<EffectResult<RunReport> | null> {
  const { workspaces, gate, landing } = ports
  const name = effect.kind === 'check-baseline' ? 'baseline' : effect.landing
  const work = comparedWork(ports, effect)
  const attempt = name as string as AttemptId
  const reserveOutputFile = work === null ? null : (path: string) => workspaces.reserveAgentFile(attempt, path)
  const receiptCache = new ReceiptCache(ports)
  const runOnBase =
    work === null
      ? null
      : async (check: Check) => {
          const { base } = await work
          return runVariant(
            ports,
            { ...effect, name: `${name}+base`, commit: base, files: [], plant: null, check },
            signal,
          )
        }
  const options = { gate, receiptCache, work, runOnBase, reserveOutputFile }
  const checked = unwrap(await checkCommit(workspaces, options, { ...effect, name }, signal))
  const proving = { ...effect, name, receiptCache, work: await work }
  const { verdict, blobs } = await proveChecks(ports, proving, checked, signal)
  if (signal.aborted) return null
  if (!verdict.passed && effect.kind === 'check-candidate') await landing.unpin(effect.landing)
  return { report: { kind: 'checked', verdict }, blobs }
}

/** Compares an attempt's work with its base; null for reverts, syncs and the baseline. */
function comparedWork(ports: EnginePorts, effect: CheckEffect): Promise<ComparedWork> | null {
  if (effect.kind === 'check-baseline' || effect.base === null) return null
  const { base, target, commit, checks, guard } = effect
  return compareWork(ports, checks, { base, target, commit, guard })
}
