import type { GuardedFiles } from '../model/guarded-files.ts'
import type { Settings } from '../model/settings.ts'
import type { Task } from '../model/task.ts'
import { type Finding, finding } from '../model/verdict.ts'
import { matchesAny } from '../reading/path-globs.ts'
import type { Comparison, FileDifference } from './weakened.ts'

/** Returns what an attempt at tasks may not change. */
export function guardOf({ gates, sources }: Pick<Settings, 'gates' | 'sources'>, tasks: readonly Task[]): GuardedFiles {
  return {
    protect: (gates ?? []).flatMap(({ protect }) => protect),
    settings: sources,
    mayChange: tasks.flatMap(({ mayChange }) => mayChange),
  }
}

/** Returns findings about files that only a person may change, protected files, and links that lead out. */
export function guardedFindings({ files }: Pick<Comparison, 'files'>, guard: GuardedFiles): readonly Finding[] {
  return files.flatMap((file) => {
    const link = linkFinding(file)
    if (link !== null) return [link]
    const paths = [file.path, ...(file.to === null ? [] : [file.to])].filter(
      (path) => !matchesAny(path, guard.mayChange),
    )
    const owned = paths.find((path) => isPersons(path, guard))
    if (owned !== undefined) return [personsFinding(owned, file)]
    return isWeaker(file, guard) && !matchesAny(file.path, guard.mayChange) ? [protectedFinding(file.path)] : []
  })
}

/** Returns the files whose change a person approved, from the keys of approved findings. */
export function approvedFiles(approved: ReadonlySet<string>): readonly string[] {
  const prefix = `${PERSONS_SOURCE}: `
  return [...approved].flatMap((key) => {
    const text = [CHANGED_TEXT, ADDED_TEXT].find((ending) => key.endsWith(ending))
    return key.startsWith(prefix) && text !== undefined ? [key.slice(prefix.length, -text.length)] : []
  })
}

/** Source of findings about files that only a person may change. */
const PERSONS_SOURCE = 'settings'
const CHANGED_TEXT = ' was changed, which steers agents or checks. Restore it; only a person may approve that.'
const ADDED_TEXT = ' was added, which steers agents or checks. Remove it; only a person may approve that.'

function personsFinding(path: string, { kind, to }: FileDifference): Finding {
  const text = kind === 'added' || path === to ? ADDED_TEXT : CHANGED_TEXT
  return finding(PERSONS_SOURCE, `${path}${text}`, { file: path, needsPerson: true })
}

function protectedFinding(path: string): Finding {
  const message = `${path} is protected, and lines of it were changed or removed. Restore them; only a person may approve that.`
  return finding('protect', message, { file: path, needsPerson: true })
}

/** True when a protected file lost lines, or was moved to where nothing protects it. */
function isWeaker({ path, kind, to, losesLines }: FileDifference, { protect }: GuardedFiles): boolean {
  if (kind === 'added' || !matchesAny(path, protect)) return false
  return losesLines || kind === 'deleted' || (to !== null && !matchesAny(to, protect))
}

function linkFinding({ path, to, linksTo }: FileDifference): Finding | null {
  if (linksTo === null) return null
  const at = to ?? path
  if (at !== OWN_FOLDER && !leadsOut(at, linksTo)) return null
  const what = at === OWN_FOLDER ? 'takes the place of a folder of Longhaul' : 'leads out of the repository'
  return finding('links', `${at} is a link to ${linksTo}, which ${what}. Remove it.`, { file: at })
}

/** True when a link, read from its own folder, leaves the repository or enters its git folder. */
function leadsOut(path: string, target: string): boolean {
  if (target.startsWith('/')) return true
  const open = path.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') open.push(part)
    else if (open.pop() === undefined) return true
  }
  return open[0]?.toLowerCase() === '.git'
}

function isPersons(path: string, { settings }: GuardedFiles): boolean {
  return settings.includes(path) || matchesAny(path, PERSONS_FILES)
}

const OWN_FOLDER = '.longhaul'

/** Files by which people steer agents, checks and what runs on their machines. */
const PERSONS_FILES: readonly string[] = [
  'longhaul.yaml',
  '.worktreeinclude',
  '**/.claude/**',
  '**/.mcp.json',
  '**/CLAUDE.md',
  '**/CLAUDE.local.md',
  '**/AGENTS.md',
  '**/GEMINI.md',
  '.codex/**',
  '.cursor/**',
  '.cursorrules',
  '.gemini/**',
  '.opencode/**',
  '.github/copilot-instructions.md',
  '.husky/**',
  '.githooks/**',
  '.pre-commit-config.yaml',
  'lefthook.{yml,yaml}',
  '.github/workflows/**',
  '.github/actions/**',
  '.gitlab-ci.yml',
  '.circleci/**',
  '.woodpecker/**',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
  '.travis.yml',
  '.vscode/{tasks,settings,launch}.json',
  '.devcontainer/**',
]
