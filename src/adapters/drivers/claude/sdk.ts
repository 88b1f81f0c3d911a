import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { isProblem, type Problem, problem } from '../../../core/model/problem.ts'
import { findProgram } from '../../../process/start/find-program.ts'

/** SDK of Claude Code. */
export type Sdk = typeof import('@anthropic-ai/claude-agent-sdk')

/** Loaded SDK, and the path of Claude Code. */
export interface Claude {
  readonly sdk: Sdk
  readonly program: string
}

/** Loads the SDK when it is first needed: it is large, and optional. */
export async function loadClaude(env: Readonly<Record<string, string>>): Promise<Claude | Problem> {
  const sdk = await loadSdk()
  const program = findClaude(env)
  if (isProblem(sdk)) return sdk
  return isProblem(program) ? program : { sdk, program }
}

export async function loadSdk(): Promise<Sdk | Problem> {
  try {
    return await import('@anthropic-ai/claude-agent-sdk')
  } catch (cause) {
    return noSdk(cause)
  }
}

/** Returns the program that comes with the SDK, or else the user's on the PATH. */
export function findClaude(env: Readonly<Record<string, string>>): string | Problem {
  return bundledProgram() ?? findProgram('claude', env, '/') ?? noProgram()
}

/** Returns the program that comes with the SDK for this machine, or null. */
function bundledProgram(): string | null {
  const here = createRequire(import.meta.url)
  const names = ['', '-musl'].map((libc) => `${process.platform}-${process.arch}${libc}`)
  for (const name of names) {
    const manifest = resolved(() => here.resolve(`@anthropic-ai/claude-agent-sdk-${name}/package.json`))
    const program = manifest === null ? null : findProgram('./claude', {}, dirname(manifest))
    if (program !== null) return program
  }
  return null
}

function resolved(resolve: () => string): string | null {
  try {
    return resolve()
  } catch {
    return null // not installed for this machine
  }
}

function noSdk(cause: unknown): Problem {
  return problem({
    code: 'agent-missing',
    message: 'The claude driver needs the package @anthropic-ai/claude-agent-sdk, which is not installed.',
    hint: 'Install it beside Longhaul: npm install @anthropic-ai/claude-agent-sdk',
    retry: 'person',
    cause,
  })
}

function noProgram(): Problem {
  return problem({
    code: 'agent-missing',
    message: "Claude Code was found neither in the SDK's package for this machine nor on the PATH.",
    hint: 'Install the package again with its optional dependencies (npm install --include=optional), or Claude Code itself.',
    retry: 'person',
  })
}
