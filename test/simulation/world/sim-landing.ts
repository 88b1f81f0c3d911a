import type { CandidateOrder, LandingSubject } from '../../../src/core/model/effect.ts'
import type { Commit, LandingId, TaskId } from '../../../src/core/model/ids.ts'
import type { LineChange } from '../../../src/core/model/landed-work.ts'
import { tasksInTheWay } from '../../../src/core/run/revert-conflict.ts'
import type { Conflict, Landing, LandingHeld, Prepared } from '../../../src/ports/landing.ts'
import type { SimRepository } from './sim-repository.ts'

/** State of the user's checkout that landing must respect. */
export interface SimCheckout {
  isDirty: boolean
}

/** Landing on the simulated repository, with the same guarantees as the real one. */
export function simLanding(repository: SimRepository, checkout: SimCheckout): Landing {
  const { refs } = repository
  const tip = (name: string): Commit => {
    const commit = refs.get(name)
    if (commit === undefined) throw new Error(`no ref ${name}`)
    return commit
  }
  return {
    openLine: async (target) => {
      const at = tip(branch(target))
      const line = refs.get(lineOf(target))
      if (line === undefined || repository.isAncestor(line, at)) refs.set(lineOf(target), at)
      const opened = tip(lineOf(target))
      return { kind: 'line-open', line: opened, tree: repository.treeOf(opened), target: at }
    },
    prepare: async (landing, subject, order) => prepare(repository, landing, subject, order, tip),
    advance: async (landing, target, from, to) => {
      const line = tip(lineOf(target))
      if (!repository.isAncestor(to, line) && line !== from) return { kind: 'stale', line }
      refs.delete(`refs/longhaul/candidate/${landing}`)
      if (repository.isAncestor(to, line)) return { kind: 'advanced', commit: to }
      refs.set(lineOf(target), to)
      return { kind: 'advanced', commit: to }
    },
    baseOf: async (target, of) => {
      const commit = repository.newestShared(tip(lineOf(target)), of) ?? tip(lineOf(target))
      return { kind: 'base', commit, tree: repository.treeOf(commit) }
    },
    changesSince: async (target, from) => changesSince(repository, tip(lineOf(target)), from),
    compare: async (from, to) => {
      const files = changes(repository, from, to)
      return { kind: 'comparison', tree: repository.treeOf(from), files }
    },
    filesOf: async (commit) => repository.filesOf(commit),
    readFiles: async (commit, paths) =>
      new Map([...repository.filesOf(commit)].filter(([path]) => paths.includes(path))),
    variant: async (commit, changes) => {
      const files = new Map(repository.filesOf(commit))
      for (const change of changes) {
        const text = 'text' in change ? change.text : repository.filesOf(change.from).get(change.path)
        if (text === undefined) files.delete(change.path)
        else files.set(change.path, text)
      }
      const variant = repository.commit(files, [commit], 'Variant for a check')
      return { kind: 'variant', commit: variant, tree: repository.treeOf(variant) }
    },
    patch: async (_, commit) => `diff --git ${[...repository.filesOf(commit).keys()].join(' ')}\n`,
    followTarget: async (target, commit, lastSeen) => {
      const at = tip(branch(target))
      if (repository.isAncestor(commit, at)) return { kind: 'followed', commit }
      if (!repository.isAncestor(lastSeen, at)) return held(`the history of ${target} was rewritten`, false)
      if (!repository.isAncestor(at, commit)) return held(`${target} has commits of its own`, true)
      if (checkout.isDirty) return held(`${target} is checked out with uncommitted changes`, false)
      refs.set(branch(target), commit)
      return { kind: 'followed', commit }
    },
    unpin: async (landing) => {
      refs.delete(`refs/longhaul/candidate/${landing}`)
    },
    attemptNumbers: async () => new Map(),
    branchOf: (attempt) => `longhaul/${attempt}`,
  }
}

function prepare(
  repository: SimRepository,
  landing: LandingId,
  subject: LandingSubject,
  order: CandidateOrder,
  tip: (name: string) => Commit,
): Prepared | Conflict | LandingHeld {
  const target = tip(branch(order.target))
  const line = tip(lineOf(order.target))
  if (!repository.isAncestor(order.lastTarget, target)) {
    return { kind: 'held', reason: `The history of ${order.target} was rewritten.`, hint: 'Say what should happen.' }
  }
  const base = mergeTarget(repository, line, target, `Merge ${order.target}`)
  if (base === null) {
    return { kind: 'held', reason: `${order.target} and what has landed contradict each other.`, hint: 'Merge them.' }
  }
  const theirs = subject.kind === 'revert' ? undo(repository, subject.commit) : subject.commit
  if (repository.isAncestor(theirs, base)) return pinned(repository, landing, { line, base, commit: base, target })
  const merged = repository.merge(base, theirs)
  if (merged.kind === 'conflict') return conflict(repository, subject, base, merged.files)
  const isEmpty = repository.tree(merged.files) === repository.treeOf(base)
  if (isEmpty) return pinned(repository, landing, { line, base, commit: base, target })
  const parents = subject.kind === 'attempt' && order.mode === 'merge' ? [base, theirs] : [base]
  const commit = repository.commit(merged.files, parents, order.message)
  return pinned(repository, landing, { line, base, commit, target })
}

function conflict(
  repository: SimRepository,
  subject: LandingSubject,
  line: Commit,
  files: readonly string[],
): Conflict {
  if (subject.kind !== 'revert') return { kind: 'conflict', line, files, revert: null }
  const changedBy = tasksInTheWay(changesSince(repository, line, subject.commit), subject.task, files)
  const options = repository.parentsOf(subject.commit).length > 1 ? '-m 1 ' : ''
  return { kind: 'conflict', line, files, revert: { files, changedBy, options } }
}

function changesSince(repository: SimRepository, line: Commit, from: Commit): readonly LineChange[] {
  const history = repository.firstParents(line)
  return history.slice(0, history.indexOf(from) + 1).map((commit) => {
    const [before] = repository.parentsOf(commit)
    const message = repository.messageOf(commit)
    return {
      commit,
      task: (/^Task-Id: (.+)$/m.exec(message)?.[1] ?? null) as TaskId | null,
      reverts: (/^Reverts: (.+)$/m.exec(message)?.[1] ?? null) as Commit | null,
      files: before === undefined ? [] : changes(repository, before, commit).map(({ path }) => path),
    }
  })
}

function changes(repository: SimRepository, from: Commit, to: Commit) {
  const [before, after] = [repository.filesOf(from), repository.filesOf(to)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({
      path,
      kind: changeKind(before.has(path), after.has(path)),
      to: null,
      losesLines: before.has(path),
      linksTo: null,
    }))
}

function mergeTarget(repository: SimRepository, line: Commit, target: Commit, message: string): Commit | null {
  if (repository.isAncestor(line, target)) return target
  if (repository.isAncestor(target, line)) return line
  const merged = repository.merge(line, target)
  return merged.kind === 'conflict' ? null : repository.commit(merged.files, [line, target], message)
}

/** Commits the files from before a landed commit on top of it. */
function undo(repository: SimRepository, landed: Commit): Commit {
  const [before] = repository.parentsOf(landed)
  if (before === undefined) throw new Error(`${landed} has no parent`)
  return repository.commit(repository.filesOf(before), [landed], `undo ${landed}`)
}

function pinned(
  repository: SimRepository,
  landing: LandingId,
  commits: { readonly line: Commit; readonly base: Commit; readonly commit: Commit; readonly target: Commit },
): Prepared {
  repository.refs.set(`refs/longhaul/candidate/${landing}`, commits.commit)
  return { kind: 'prepared', ...commits, tree: repository.treeOf(commits.commit) }
}

function held(reason: string, diverged: boolean) {
  return { kind: 'target-held' as const, reason, command: null, diverged }
}

function changeKind(existedBefore: boolean, existsNow: boolean): 'added' | 'changed' | 'deleted' {
  if (!existedBefore) return 'added'
  return existsNow ? 'changed' : 'deleted'
}

function branch(target: string): string {
  return `refs/heads/${target}`
}

function lineOf(target: string): string {
  return `refs/longhaul/landed/${target}`
}
