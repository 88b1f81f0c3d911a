import { reportFlags } from './report-flags.ts'
import type { Folder, StackKind, SuggestedGate } from './stack.ts'

/** Projects with a package.json, whose scripts are the checks. */
export const node: StackKind = {
  name: 'node',
  marks: ['package.json'],
  needs(folder) {
    const pack = packageOf(folder.text('package.json'))
    const manager = managerOf(folder, pack)
    const needsInstall = manager.isLocked || pack.hasDependencies || isWorkspace(folder, pack)
    return { setup: needsInstall ? [manager.install] : [], gates: gatesOf(folder, pack, manager) }
  },
  usual: {
    files: ['package.json', 'package-lock.json'],
    text: (file) => (file === 'package.json' ? '{ "scripts": { "test": "x" } }' : null),
  },
}

interface Manager {
  readonly install: string
  readonly isLocked: boolean
  run(script: string): string
  /** Word that must come before the flags of a script. */
  readonly beforeFlags: '' | '-- '
  /** Runs a script in every package of a workspace that has it. */
  runInAll(script: string): string
}

const NPM: Omit<Manager, 'install' | 'isLocked'> = {
  beforeFlags: '-- ',
  run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
  runInAll: (script) => `npm run ${script} --workspaces --if-present`,
}
const PNPM: Omit<Manager, 'isLocked'> = {
  install: 'pnpm install --frozen-lockfile',
  beforeFlags: '',
  run: (script) => (script === 'test' ? 'pnpm test' : `pnpm run ${script}`),
  runInAll: (script) => `pnpm --recursive run --if-present ${script}`,
}
const YARN_1: Omit<Manager, 'isLocked'> = {
  beforeFlags: '',
  install: 'yarn install --frozen-lockfile',
  run: (script) => (script === 'test' ? 'yarn test' : `yarn run ${script}`),
  runInAll: (script) => `yarn workspaces run ${script}`,
}
const YARN: Omit<Manager, 'isLocked'> = {
  ...YARN_1,
  install: 'yarn install --immutable',
  runInAll: (script) => `yarn workspaces foreach --all run ${script}`,
}
const BUN: Omit<Manager, 'isLocked'> = {
  install: 'bun install --frozen-lockfile',
  beforeFlags: '',
  // "bun test" runs bun's own test runner, not the script.
  run: (script) => `bun run ${script}`,
  runInAll: (script) => `bun run --filter '*' ${script}`,
}

/** Detects the package manager by its lock file, or else from package.json. */
function managerOf({ files }: Folder, { manager }: Package): Manager {
  const has = (...names: readonly string[]) => names.some((name) => files.includes(name))
  if (has('package-lock.json', 'npm-shrinkwrap.json')) return { ...NPM, install: 'npm ci', isLocked: true }
  if (has('pnpm-lock.yaml')) return { ...PNPM, isLocked: true }
  if (has('yarn.lock')) return { ...(has('.yarnrc.yml') ? YARN : YARN_1), isLocked: true }
  if (has('bun.lock', 'bun.lockb')) return { ...BUN, isLocked: true }
  if (manager === 'pnpm') return { ...PNPM, install: 'pnpm install', isLocked: false }
  if (manager === 'yarn') return { ...YARN, install: 'yarn install', isLocked: false }
  if (manager === 'bun') return { ...BUN, install: 'bun install', isLocked: false }
  return { ...NPM, install: 'npm install', isLocked: false }
}

const TESTS = ['test/**', 'tests/**', '**/*.test.*', '**/*.spec.*']
const CHECKS: readonly (readonly [script: string, gate: string])[] = [
  ['test', 'tests'],
  ['lint', 'lint'],
  ['typecheck', 'types'],
  ['build', 'build'],
]

function gatesOf(folder: Folder, pack: Package, manager: Manager): readonly SuggestedGate[] {
  const members = isWorkspace(folder, pack) ? membersOf(folder) : []
  return CHECKS.flatMap(([script, name]) => {
    const protect = script === 'test' ? TESTS : []
    const command = pack.scripts[script]
    if (isReal(command)) return [{ name, run: withReport(manager, script, command), protect }]
    const isInMember = members.some(({ scripts }) => isReal(scripts[script]))
    return isInMember ? [{ name, run: manager.runInAll(script), protect }] : []
  })
}

/** Returns the command that runs a script, with a test report where its flags reach the runner. */
function withReport(manager: Manager, script: string, command: string): string {
  const flags = script === 'test' ? reportFlags(command) : null
  return flags === null ? manager.run(script) : `${manager.run(script)} ${manager.beforeFlags}${flags}`
}

interface Package {
  readonly scripts: Readonly<Record<string, unknown>>
  readonly hasDependencies: boolean
  readonly hasWorkspaces: boolean
  /** Value of "packageManager" without its version, or null. */
  readonly manager: string | null
}

function packageOf(text: string | null): Package {
  try {
    const { scripts, dependencies, devDependencies, workspaces, packageManager } = JSON.parse(text ?? '')
    return {
      scripts: scripts ?? {},
      hasDependencies: Object.keys({ ...dependencies, ...devDependencies }).length > 0,
      hasWorkspaces: workspaces !== undefined,
      manager: typeof packageManager === 'string' ? (packageManager.split('@')[0] ?? null) : null,
    }
  } catch {
    // An invalid package.json, which npm cannot read either.
    return { scripts: {}, hasDependencies: false, hasWorkspaces: false, manager: null }
  }
}

function isWorkspace({ files }: Folder, { hasWorkspaces }: Package): boolean {
  return hasWorkspaces || files.includes('pnpm-workspace.yaml')
}

function membersOf({ files, text }: Folder): readonly Package[] {
  return files.filter((file) => file.endsWith('/package.json')).map((file) => packageOf(text(file)))
}

// "npm init" writes a test that always fails.
function isReal(script: unknown): script is string {
  return typeof script === 'string' && script !== '' && !script.includes('no test specified')
}
