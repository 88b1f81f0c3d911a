import type { Commit, Tree } from '../../../src/core/model/ids.ts'

/** Files of one tree: texts by path. */
export type Files = ReadonlyMap<string, string>

interface CommitRecord {
  readonly tree: Tree
  readonly parents: readonly Commit[]
  readonly message: string
}

export type Merged =
  | { readonly kind: 'clean'; readonly files: Files }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }

/** In-memory git for the simulation: trees, commits, refs and three-way merges. */
export class SimRepository {
  readonly #trees = new Map<Tree, Files>()
  readonly #treeNames = new Map<string, Tree>()
  readonly #commits = new Map<Commit, CommitRecord>()
  readonly refs = new Map<string, Commit>()

  tree(files: Files): Tree {
    const key = JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    const known = this.#treeNames.get(key)
    if (known !== undefined) return known
    const name = `tree${this.#trees.size}` as Tree
    this.#trees.set(name, new Map(files))
    this.#treeNames.set(key, name)
    return name
  }

  commit(files: Files, parents: readonly Commit[], message: string): Commit {
    const name = `commit${String(this.#commits.size).padStart(5, '0')}` as Commit
    this.#commits.set(name, { tree: this.tree(files), parents, message })
    return name
  }

  treeOf(commit: Commit): Tree {
    return this.#record(commit).tree
  }

  filesOf(commit: Commit): Files {
    const files = this.#trees.get(this.treeOf(commit))
    if (files === undefined) throw new Error(`${commit} has no tree`)
    return files
  }

  parentsOf(commit: Commit): readonly Commit[] {
    return this.#record(commit).parents
  }

  messageOf(commit: Commit): string {
    return this.#record(commit).message
  }

  isAncestor(ancestor: Commit, of: Commit): boolean {
    return this.#ancestors(of).has(ancestor)
  }

  /** Returns the first-parent history of a commit, newest first. */
  firstParents(tip: Commit): readonly Commit[] {
    const line: Commit[] = []
    for (let at: Commit | undefined = tip; at !== undefined; at = this.parentsOf(at)[0]) line.push(at)
    return line
  }

  /** Returns the newest commit of a line that is an ancestor of another commit. */
  newestShared(line: Commit, other: Commit): Commit | null {
    const known = this.#ancestors(other)
    return this.firstParents(line).find((commit) => known.has(commit)) ?? null
  }

  /** Merges two commits over their best common ancestor. */
  merge(ours: Commit, theirs: Commit): Merged {
    const base = this.#mergeBase(ours, theirs)
    return mergeFiles(base === null ? new Map() : this.filesOf(base), this.filesOf(ours), this.filesOf(theirs))
  }

  #mergeBase(a: Commit, b: Commit): Commit | null {
    const ofA = this.#ancestors(a)
    const shared = [...this.#ancestors(b)].filter((commit) => ofA.has(commit))
    const best = shared.filter((commit) => !shared.some((other) => other !== commit && this.isAncestor(commit, other)))
    return best.sort().at(-1) ?? null
  }

  #ancestors(of: Commit): ReadonlySet<Commit> {
    const seen = new Set<Commit>()
    const open = [of]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      open.push(...this.parentsOf(at))
    }
    return seen
  }

  #record(commit: Commit): CommitRecord {
    const record = this.#commits.get(commit)
    if (record === undefined) throw new Error(`no commit ${commit}`)
    return record
  }
}

/** Merges two sets of files over a common base. */
function mergeFiles(base: Files, ours: Files, theirs: Files): Merged {
  const files = new Map<string, string>()
  const conflicts: string[] = []
  for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [b, o, t] = [base.get(path), ours.get(path), theirs.get(path)]
    const text = o === t || t === b ? o : o === b ? t : null
    if (text === null) conflicts.push(path)
    else if (text !== undefined) files.set(path, text)
  }
  return conflicts.length > 0 ? { kind: 'conflict', files: conflicts.sort() } : { kind: 'clean', files }
}
