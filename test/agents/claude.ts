import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { testEnvironment } from '../environment.ts'

/** Path of the real Claude Code, from its SDK's package for this platform. */
export function claudeBinary(): string {
  const { resolve } = createRequire(import.meta.url)
  const sdk = createRequire(resolve('@anthropic-ai/claude-agent-sdk'))
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`
  return join(dirname(sdk.resolve(`${name}/package.json`)), 'claude')
}

/** Creates a home and a working folder for one agent; both are removed when the test ends. */
export function agentFolders(): { readonly home: string; readonly folder: string } {
  const root = mkdtempSync(join(tmpdir(), 'longhaul-agent-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const folders = { home: join(root, 'home'), folder: join(root, 'work') }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  return folders
}

/** Environment of an agent that a test starts itself: a made-up key, and the lab as its model. */
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

/** Message of Claude Code's output. */
export type ClaudeMessage = Readonly<Record<string, unknown>> & { readonly type: string }

/** Result of a run of `claude -p`. */
export interface ClaudeRun {
  readonly exitCode: number | null
  readonly messages: readonly ClaudeMessage[]
  readonly result: ClaudeMessage | undefined
}

/** Runs `claude -p` against a lab until it ends; `onMessage` gets each message and may kill the agent. */
export async function runClaude(
  url: string,
  prompt: string,
  {
    folders = agentFolders(),
    args = [],
    env = {},
    onMessage,
  }: {
    readonly folders?: ReturnType<typeof agentFolders>
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string>>
    onMessage?(message: ClaudeMessage, kill: () => void): void
  } = {},
): Promise<ClaudeRun> {
  const usual = ['--output-format', 'stream-json', '--verbose', '--permission-mode', 'bypassPermissions']
  const child = spawn(claudeBinary(), ['-p', prompt, ...usual, ...args], {
    cwd: folders.folder,
    env: { ...claudeEnvironment(folders.home, url), ...env },
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
      onMessage?.(message, () => child.kill('SIGKILL'))
    }
  })
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { exitCode, messages, result: messages.find(({ type }) => type === 'result') }
}
