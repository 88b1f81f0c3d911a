import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Commit } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import { type GitRepository, openRepository } from '../../src/git/repository.ts'
import { testEnvironment } from '../environment.ts'

/** A real repository in a temporary folder, with its own HOME and a difficult path. */
export interface TestRepository {
  readonly root: string
  readonly checkout: string
  /** State folder, which holds the workspaces. */
  readonly home: string
  readonly env: Readonly<Record<string, string>> & { readonly HOME: string }
  /** Runs git as the user, in the checkout or another folder, and returns its output. */
  git(args: readonly string[], folder?: string): string
  /** Runs a command line in the checkout, as a user who copies it. */
  shell(command: string): void
  write(path: string, text: string | null, folder?: string): void
  read(path: string, folder?: string): string | null
  /** Commits everything in the checkout as its user would. */
  commit(message?: string): Commit
  open(folder?: string, env?: Readonly<Record<string, string>>): Promise<GitRepository>
  remove(): void
}

/** Creates a repository with one commit on main that holds `kept.txt`. */
export function makeRepository(): TestRepository {
  template ??= readTemplate()
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul gït ')))
  for (const { path, content } of template) {
    if (content === null) mkdirSync(join(root, path), { recursive: true })
    else writeFileSync(join(root, path), content)
  }
  return repositoryIn(root)
}

interface Entry {
  readonly path: string
  /** Content of a file, or null for a folder. */
  readonly content: Buffer | null
}

let template: readonly Entry[] | null = null

// Created once and copied, because creating a repository takes longer than most tests.
function readTemplate(): readonly Entry[] {
  const repo = repositoryIn(realpathSync(mkdtempSync(join(tmpdir(), 'longhaul gït '))))
  mkdirSync(repo.checkout)
  mkdirSync(repo.env.HOME)
  repo.git(['init', '--quiet', '--initial-branch=main', '--template='])
  repo.git(['config', 'user.name', 'Ürsula User'])
  repo.git(['config', 'user.email', 'user@example.org'])
  repo.write('kept.txt', 'kept\n')
  repo.commit('first')
  const entries = readdirSync(repo.root, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = join(entry.parentPath, entry.name)
    return { path: relative(repo.root, file), content: entry.isDirectory() ? null : readFileSync(file) }
  })
  repo.remove()
  return entries.sort((a, b) => Number(a.content !== null) - Number(b.content !== null))
}

function repositoryIn(root: string): TestRepository {
  const [checkout, home] = [join(root, 'my project'), join(root, 'state')]
  const env = testEnvironment(join(root, 'user'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { root, checkout, home, env, ...tools(checkout, env), remove }
}

type Tools = Pick<TestRepository, 'git' | 'shell' | 'write' | 'read' | 'commit' | 'open'>

function tools(checkout: string, env: Readonly<Record<string, string>>): Tools {
  const git = (args: readonly string[], folder = checkout): string => {
    return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  }
  const shell = (command: string): void => {
    execFileSync('sh', ['-c', command], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  return {
    git,
    shell,
    write(path, text, folder = checkout) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      if (text === null) rmSync(file, { force: true })
      else writeFileSync(file, text)
    },
    read: (path, folder = checkout) => readText(join(folder, path)),
    commit(message = 'work') {
      git(['add', '--all'])
      git(['-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '--no-gpg-sign', '--allow-empty', '-m', message])
      return git(['rev-parse', 'HEAD']) as Commit
    },
    async open(folder = checkout, environment = env) {
      const repository = await openRepository(folder, environment)
      if (isProblem(repository)) throw new Error(`${repository.code}: ${repository.message}`)
      return repository
    },
  }
}

/** True when git accepts the name of a ref. */
export function isRefName(ref: string): boolean {
  return spawnSync('git', ['check-ref-format', ref]).status === 0
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return null
    throw cause
  }
}
