import { describe, expect, test } from 'vitest'
import { parseSource, type Source } from './parse-source.ts'
import { readProgram } from './source.ts'

interface Reservation {
  readonly what: string
  readonly uses: readonly string[]
  /** Files that may; all others may not. */
  readonly only: RegExp
}

const NOT_CORE = /^src\/(?!core\/)/

// Operations that only some files may use. Member names are written object.member, named imports of node: modules module.name.
const RESERVED: readonly Reservation[] = [
  { what: 'reads the environment', uses: ['process.env'], only: /^src\/(config\/|main\.ts$)/ },
  {
    what: 'reads the clock',
    uses: ['Date.now', 'new Date()', 'Date()', 'performance.timeOrigin', 'Temporal.Now'],
    only: /^src\/main\.ts$|-main\.ts$/,
  },
  {
    what: 'is random',
    uses: ['Math.random', 'randomUUID', 'crypto.randomUUID', 'crypto.randomBytes', 'crypto.getRandomValues'],
    only: NOT_CORE,
  },
  { what: 'is asynchronous', uses: ['async', 'await', 'Promise', 'queueMicrotask'], only: NOT_CORE },
  {
    what: 'touches the world',
    uses: ['process', 'console', 'fetch', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'globalThis'],
    only: NOT_CORE,
  },
]
const SPAWNERS = /^(node:)?(child_process|cluster)$/

describe('the program', () => {
  test('uses clock, environment, randomness and processes only where they are allowed', () => {
    expect(readProgram().flatMap(breaches)).toEqual([])
  })
})

describe('the scanner notices', () => {
  test.each([
    ['engine/a.ts', 'const home = process.env.HOME', 'reads the environment'],
    ['engine/a.ts', "const home = process['env']", 'reads the environment'],
    ['engine/a.ts', 'const { env } = process', 'reads the environment'],
    ['engine/a.ts', "import { env } from 'node:process'", 'reads the environment'],
    ['engine/a.ts', 'const path = globalThis.process.env.PATH', 'reads the environment'],
    ['process/a.ts', 'const at = Date.now()', 'reads the clock'],
    ['process/a.ts', 'const at = new Date()', 'reads the clock'],
    ['process/a.ts', 'const at = performance.timeOrigin', 'reads the clock'],
    ['core/a.ts', 'const at = Math.random()', 'is random'],
    ['core/a.ts', 'export async function a() {}', 'is asynchronous'],
    ['core/a.ts', 'export const a = async () => {}', 'is asynchronous'],
    ['core/a.ts', 'export type A = () => Promise<void>', 'is asynchronous'],
    ['core/a.ts', 'setTimeout(() => {}, 1)', 'touches the world'],
    ['core/a.ts', "console.log('here')", 'touches the world'],
    ['git/a.ts', "import { execFile } from 'node:child_process'", 'spawns'],
    ['git/a.ts', "import type { ChildProcess } from 'child_process'", 'spawns'],
  ])('src/%s: %s', (path, text, what) => {
    expect(breaches(parseSource(`src/${path}`, text))).toContain(`src/${path} ${what}`)
  })

  test.each([
    ['main.ts', 'const now = () => Date.now(); export const environment = process.env'],
    ['adapters/drivers/scripted/agent-main.ts', 'const at = new Date()'],
    ['config/load.ts', 'const home = process.env.HOME'],
    ['process/spawn.ts', "import { spawn } from 'node:child_process'"],
    ['core/a.ts', 'const at = new Date(1_000).toISOString() // not Date.now(), no async'],
    ['core/a.ts', "const text = 'await process.env' + run.process + { fetch: 1 }.fetch"],
  ])('nothing wrong in src/%s: %s', (path, text) => {
    expect(breaches(parseSource(`src/${path}`, text))).toEqual([])
  })
})

function breaches({ path, uses, imports }: Source): string[] {
  const broken = RESERVED.filter((rule) => !rule.only.test(path) && rule.uses.some((use) => uses.has(use)))
  // The scripted agent is a separate program, whose tools are processes like any agent's.
  const maySpawn = path.startsWith('src/process/') || path === 'src/adapters/drivers/scripted/agent-main.ts'
  const spawns = !maySpawn && imports.some(({ to }) => SPAWNERS.test(to))
  return [...broken.map(({ what }) => what), ...(spawns ? ['spawns'] : [])].map((what) => `${path} ${what}`)
}
