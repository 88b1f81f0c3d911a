import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { testEnvironment } from '../environment.ts'

/** The real Claude Code, as its SDK's package for this machine brings it. */
export function claudeBinary(): string {
  const { resolve } = createRequire(import.meta.url)
  const sdk = createRequire(resolve('@anthropic-ai/claude-agent-sdk'))
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`
  return join(dirname(sdk.resolve(`${name}/package.json`)), 'claude')
}

/** A folder to work in and a home of its own for one agent, gone when the test ends. */
export function agentPlace(): { readonly home: string; readonly folder: string } {
  const root = mkdtempSync(join(tmpdir(), 'longhaul-agent-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const place = { home: join(root, 'home'), folder: join(root, 'work') }
  for (const folder of Object.values(place)) mkdirSync(folder)
  return place
}

/** Environment of an agent that tests start by themselves: with a made-up key and the lab. */
export function claudeEnvironment(home: string, url: string): Record<string, string> {
  return {
    ...testEnvironment(home),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'test-key',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1',
  }
}

/** One message of Claude Code's output. */
export type ClaudeMessage = Readonly<Record<string, unknown>> & { readonly type: string }

/** What a run of `claude -p` came to. */
export interface ClaudeRun {
  readonly exitCode: number | null
  readonly messages: readonly ClaudeMessage[]
  readonly result: ClaudeMessage | undefined
}

/** Runs `claude -p` against a lab until it ends; `seen` is told each message and may end the agent. */
export async function runClaude(
  url: string,
  prompt: string,
  {
    place = agentPlace(),
    args = [],
    env = {},
    seen,
  }: {
    readonly place?: ReturnType<typeof agentPlace>
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    seen?(message: ClaudeMessage, kill: () => void): void
  } = {},
): Promise<ClaudeRun> {
  const usual = ['--output-format', 'stream-json', '--verbose', '--permission-mode', 'bypassPermissions']
  const child = spawn(claudeBinary(), ['-p', prompt, ...usual, ...args], {
    cwd: place.folder,
    env: { ...claudeEnvironment(place.home, url), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const messages: ClaudeMessage[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const message = JSON.parse(line) as ClaudeMessage
      messages.push(message)
      seen?.(message, () => child.kill('SIGKILL'))
    }
  })
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exitCode, messages, result: messages.find(({ type }) => type === 'result') }
}
