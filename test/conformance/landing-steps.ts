import type { CandidateOrder, LandingSubject } from '../../src/core/model/effect.ts'
import type { AttemptId, Commit, LandingId, TaskId } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { LineOpen, Prepared } from '../../src/ports/landing.ts'
import { attemptSpec } from './attempt-specs.ts'
import { type GitWorld, lineTip, targetTip } from './git-world.ts'

const NEVER = new AbortController().signal

export async function open(world: GitWorld): Promise<LineOpen> {
  const answer = await world.landing.openLine('main')
  if (answer.kind !== 'line-open') throw new Error(JSON.stringify(answer))
  return answer
}

/** Commits one file as an attempt that starts at the target. */
export async function workOf(world: GitWorld, attempt: string, path: string, text: string): Promise<Commit> {
  const base = await targetTip(world)
  await world.workspaces.ensure(attemptSpec(attempt, base), base, NEVER)
  await world.agentWrites(attempt, path, text)
  const checkpoint = await world.workspaces.checkpoint(attemptSpec(attempt, base), base, 'work')
  if (isProblem(checkpoint)) throw new Error(checkpoint.message)
  return checkpoint.commit
}

/** Commits one file as an attempt that starts at the line, and lands it. */
export async function land(world: GitWorld, attempt: string, path: string, text: string): Promise<Commit> {
  const { line } = await open(world)
  await world.workspaces.ensure(attemptSpec(attempt, line), line, NEVER)
  await world.agentWrites(attempt, path, text)
  const checkpoint = await world.workspaces.checkpoint(attemptSpec(attempt, line), line, 'work')
  if (isProblem(checkpoint)) throw new Error(checkpoint.message)
  return landCommit(world, attempt, checkpoint.commit)
}

export function advance(world: GitWorld, landing: string, from: Commit, to: Commit) {
  return world.landing.advance(landing as LandingId, 'main', from, to)
}

export async function landCommit(
  world: GitWorld,
  attempt: string,
  commit: Commit,
  overrides: Partial<CandidateOrder> = {},
): Promise<Commit> {
  await open(world)
  const candidate = await prepare(world, attempt, commit, overrides)
  const advanced = await advance(world, attempt, candidate.line, candidate.commit)
  if (advanced.kind !== 'advanced') throw new Error(JSON.stringify(advanced))
  return candidate.commit
}

export async function prepare(
  world: GitWorld,
  attempt: string,
  commit: Commit,
  overrides: Partial<CandidateOrder> = {},
): Promise<Prepared> {
  const answer = await prepareSubject(
    world,
    attempt,
    { kind: 'attempt', attempt: attempt as AttemptId, commit },
    { message: messageOf(attempt), ...overrides },
  )
  if (answer.kind !== 'prepared') throw new Error(JSON.stringify(answer))
  return answer
}

export async function prepareSubject(
  world: GitWorld,
  landing: string,
  subject: LandingSubject,
  overrides: Partial<CandidateOrder> = {},
) {
  return world.landing.prepare(landing as LandingId, subject, { ...(await order(world)), ...overrides })
}

export async function revert(world: GitWorld, commit: Commit) {
  return prepareSubject(world, 'revert:one', { kind: 'revert', task: 'one' as TaskId, commit })
}

export async function order(world: GitWorld): Promise<CandidateOrder> {
  const message = messageOf('one-a1')
  return { target: 'main', line: await lineTip(world), lastTarget: await targetTip(world), mode: 'merge', message }
}

function messageOf(attempt: string): string {
  const task = attempt.replace(/-a\d+$/, '')
  return `${task}: Title\n\nTask-Id: ${task}\nAttempt: ${attempt}\n`
}

export async function texts(world: GitWorld, commit: Commit, ...paths: string[]): Promise<readonly (string | null)[]> {
  return Promise.all(paths.map((path) => world.fileAt(commit, path)))
}
