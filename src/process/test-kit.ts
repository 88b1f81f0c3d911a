import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Containment, probeContainment } from './containment.ts'
import { pidsInside } from './working-folders.ts'

/** The environment of the programs that tests start. */
export const TEST_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' }

const TSC_OPTIONS = [
  ...['--ignoreConfig', '--noCheck', '--rewriteRelativeImportExtensions'],
  ...['--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--rootDir', import.meta.dirname],
]

const probed = await probeContainment({ env: TEST_ENV, use: 'bwrap' })

/** The ways to contain a program that this machine has. */
export const KINDS: readonly Containment['kind'][] = probed.kind === 'bwrap' ? ['bwrap', 'guard'] : ['guard']

/** Gives every test of a file a folder with a difficult name, emptied of files afterwards. */
export function useFolder(): () => string {
  let folder = ''
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul tëst ')))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => folder
}

/** Compiles this folder, for what must run as a program of its own. */
export function useCompiled(): () => string {
  const folder = useFolder()
  beforeAll(() => {
    writeFileSync(join(folder(), 'package.json'), '{"type":"module"}')
    const sources = ['guard-main.ts', 'launch.ts'].map((name) => join(import.meta.dirname, name))
    execFileSync('node_modules/.bin/tsc', [...TSC_OPTIONS, '--outDir', folder(), ...sources])
  }, 60_000)
  return folder
}

/** Gives every test of a file a containment of the wanted kind. */
export function useContainments(): (kind: Containment['kind']) => Containment {
  const compiled = useCompiled()
  const made = new Map<string, Containment>()
  beforeAll(async () => {
    for (const use of KINDS) {
      const containment = await probeContainment({ env: TEST_ENV, use, guardFile: join(compiled(), 'guard-main.js') })
      if (containment.kind === 'not-started') throw new Error(containment.message)
      made.set(use, containment)
    }
  })
  afterAll(async () => {
    for (const containment of made.values()) if (containment.kind === 'guard') await containment.guard.end()
  })
  return (kind) => {
    const containment = made.get(kind)
    if (containment === undefined) throw new Error(`${kind} is not available`)
    return containment
  }
}

/** Waits until as many processes work in a folder. */
export async function untilInside(folder: string, count: number): Promise<readonly number[]> {
  await expect.poll(() => pidsInside(folder).length, { interval: 5, timeout: 5_000 }).toBe(count)
  return pidsInside(folder)
}
