import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-sqlite-store.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import type { RunEvent } from '../../src/core/model/run-event.ts'
import { evolveRun } from '../../src/core/run/evolve.ts'
import { newRun } from '../../src/core/run/state.ts'
import { runSummary } from '../../src/core/views/run-summary.ts'
import { testEnvironment } from '../environment.ts'
import type { Fact } from './facts.ts'
import { WORKSPACES } from './terminal.ts'

/** Repository with reproducible commit ids. */
export interface GoldenProject {
  readonly folder: string
  /** Commits everything on top of the parents, or of HEAD, and returns the commit. */
  commit(message: string, files: Readonly<Record<string, string>>): string
  /** Merges a commit into the current branch with a merge commit. */
  merge(commit: string): string
  git(...args: readonly string[]): string
  /** Stores facts, and texts by their digests, as the repository's state. */
  record(facts: readonly Fact[], blobs?: ReadonlyMap<string, string>): Promise<void>
  /** Removes machine-dependent parts from a text. */
  plain(text: string): string
  remove(): void
}

export function makeProject(): GoldenProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-golden-')))
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT, encoding: 'utf8', stdio: 'pipe' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  return {
    folder,
    git,
    commit(message, files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      git('add', '--all')
      git('commit', '--quiet', '-m', message)
      return git('rev-parse', 'HEAD')
    },
    merge(commit) {
      git('merge', '--quiet', '--no-ff', '-m', 'merged', commit)
      return git('rev-parse', 'HEAD')
    },
    record: (facts, blobs = new Map()) => record(join(folder, '.git', 'longhaul'), facts, blobs),
    plain: (text) =>
      text.replaceAll(new RegExp(`${join(folder, WORKSPACES)}\\S*`, 'g'), '/workspaces').replaceAll(folder, '/project'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const GIT_ENVIRONMENT = {
  ...testEnvironment('/nonexistent'),
  GIT_AUTHOR_NAME: 'Ursula User',
  GIT_AUTHOR_EMAIL: 'user@example.org',
  GIT_AUTHOR_DATE: '2026-11-15T09:00:00Z',
  GIT_COMMITTER_NAME: 'Ursula User',
  GIT_COMMITTER_EMAIL: 'user@example.org',
  GIT_COMMITTER_DATE: '2026-11-15T09:00:00Z',
}

async function record(folder: string, facts: readonly Fact[], blobs: ReadonlyMap<string, string>): Promise<void> {
  const store = await openSqliteStore({ folder })
  if (isProblem(store)) throw new Error(store.message)
  const run = newRun()
  const standings = new Map<string, { readonly epoch: number; seq: number }>()
  for (const { ledger, at, event } of facts) {
    const standing = standings.get(ledger) ?? (await store.claim(ledger))
    const isOfRun = ledger.startsWith('run/')
    if (isOfRun) evolveRun(run, event as RunEvent, at)
    const summary = isOfRun && run.id !== null ? { summary: { run: run.id, row: runSummary(run) } } : {}
    const { epoch, seq: after } = standing
    const appended = await store.append({ ledger, epoch, after, at, events: [event], blobs, ...summary })
    if (appended.kind === 'conflict') throw new Error(appended.reason)
    standings.set(ledger, { epoch, seq: appended.seq })
  }
  await store.close()
}
