import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Commit } from '../../src/core/model/ids.ts'
import { isProblem } from '../../src/core/model/problem.ts'
import { openRepository, type Repository } from '../../src/git/repository.ts'

/** A real repository in a folder of its own, with a HOME of its own and a difficult path. */
export interface TestRepository {
  readonly root: string
  readonly checkout: string
  /** For workspaces. */
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  /** Runs the user's git, in the checkout or elsewhere; what it printed. */
  git(args: readonly string[], folder?: string): string
  write(path: string, text: string | null, folder?: string): void
  read(path: string, folder?: string): string | null
  /** Commits everything in the checkout as its user would. */
  commit(message?: string): Commit
  open(folder?: string, env?: Readonly<Record<string, string>>): Promise<Repository>
  remove(): void
}

/** Makes a repository with one commit on main that holds `kept.txt`. */
export function makeRepository(): TestRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul gït ')))
  cpSync(template(), root, { recursive: true })
  return repositoryIn(root)
}

let made: string | null = null

// Copied, because making it afresh costs more than most tests.
function template(): string {
  if (made !== null) return made
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul template ')))
  process.once('exit', () => rmSync(root, { recursive: true, force: true }))
  const repo = repositoryIn(root)
  mkdirSync(repo.checkout)
  mkdirSync(join(root, 'user'))
  repo.git(['init', '--quiet', '--initial-branch=main', '--template='])
  repo.git(['config', 'user.name', 'Ürsula User'])
  repo.git(['config', 'user.email', 'user@example.org'])
  repo.write('kept.txt', 'kept\n')
  repo.commit('first')
  made = root
  return root
}

function repositoryIn(root: string): TestRepository {
  const [checkout, home] = [join(root, 'my project'), join(root, 'state')]
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: join(root, 'user'), GIT_CONFIG_NOSYSTEM: '1' }
  const remove = () => rmSync(root, { recursive: true, force: true })
  return { root, checkout, home, env, ...tools(checkout, env), remove }
}

type Tools = Pick<TestRepository, 'git' | 'write' | 'read' | 'commit' | 'open'>

function tools(checkout: string, env: Readonly<Record<string, string>>): Tools {
  const git = (args: readonly string[], folder = checkout): string => {
    return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  }
  return {
    git,
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

/** Whether git takes a ref's name. */
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
