import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RoundOrder } from '../../../core/model/effect.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import { isShutIn } from '../../../core/model/protection.ts'
import type { AgentSettings, McpServerSettings } from '../../../core/model/settings.ts'
import type { AgentDriver, RoundSpec } from '../../../ports/agent-driver.ts'
import { type DriverOptions, orderVariables } from '../driver-options.ts'
import { agentEnvironment } from './agent-environment.ts'
import type { ClaudeToStart } from './agent-process.ts'
import { checkAgent } from './check-agent.ts'
import { MASKED, type Mask, maskFor } from './mask.ts'
import { needsSignIn, wayToModel } from './model-access.ts'
import { mcpServers, ownServer, TOKEN_VARIABLE } from './query-options.ts'
import { claudeRound } from './round.ts'
import { findClaude, loadClaude, loadSdk } from './sdk.ts'
import { type RecordedSession, readRecord, recordedCalls, removeEmptySession } from './session-records.ts'
import { credentialsFile, type LentSignIn, SignIns } from './sign-in.ts'

/** Runs Claude Code through its SDK, with one process per round. */
export function claudeDriver(options: DriverOptions): AgentDriver {
  const memory: DriverMemory = { windows: new Map(), sessions: new Set(), signIns: new SignIns(options.clock) }
  return {
    name: 'claude',
    capabilities: {
      resume: true,
      steer: true,
      contextSize: true,
      cost: true,
      maxTurns: true,
      structuredErrors: true,
      tools: true,
      forms: true,
    },
    async ready({ agent }) {
      const secrets = secretsOf(agent, options)
      if (isProblem(secrets)) return secrets
      const needs = { agent, policy: 'hand-off', isRoot: isRoot() } as const
      const env = agentEnvironment(needs, options.environment, secrets.env)
      const program = findClaude(env)
      // Runs while the SDK is being loaded.
      const checking = isProblem(program) ? program : checkAgent(program, env)
      const sdk = await loadSdk()
      return isProblem(sdk) ? sdk : checking
    },
    start: (spec) => claudeRound(() => prepare(spec, options, memory)),
  }
}

/** State that the driver keeps between rounds. */
interface DriverMemory {
  readonly windows: Map<string, number>
  /** Sessions that this engine has followed from their start. */
  readonly sessions: Set<SessionId>
  readonly signIns: SignIns
}

async function prepare(
  { order, folder, tools, form, onHostRefused }: RoundSpec,
  options: DriverOptions,
  { windows, sessions, signIns }: DriverMemory,
): Promise<ClaudeToStart | Problem> {
  const secrets = secretsOf(order.agent, options)
  if (isProblem(secrets)) return secrets
  const { clock, sandbox, transcriptFolder } = options
  const pidFolder = options.pidFolder(order.attempt)
  const needs = { agent: order.agent, policy: order.context.policy, isRoot: isRoot() }
  const users = agentEnvironment(needs, options.environment, secrets.env)
  const outside = {
    ...users,
    ...orderVariables(order),
    ...(tools === null ? {} : { [TOKEN_VARIABLE]: tools.token }),
    // Temporary files, sessions and settings of the agent are removed with the workspace.
    CLAUDE_CODE_TMPDIR: join(dirname(pidFolder), 'agent'),
    CLAUDE_CONFIG_DIR: join(dirname(pidFolder), 'claude'),
  }
  const claude = await loadClaude(outside)
  if (isProblem(claude)) return claude
  const way = isShutIn(sandbox.protection) ? wayToModel(outside) : { env: outside }
  const { containment, env } = sandbox.enclose({
    ...way,
    purpose: 'agent',
    folder,
    reads: [claude.program],
    writes: [outside.CLAUDE_CODE_TMPDIR, outside.CLAUDE_CONFIG_DIR],
    listeners: tools?.listener ? [tools.listener] : [],
    onRefused: onHostRefused,
  })
  const recorded = { config: outside.CLAUDE_CONFIG_DIR, session: order.session }
  const hasFollowedSession = sessions.has(order.session)
  sessions.add(order.session)
  const pidFile = join(pidFolder, `round-${order.round}.pid`)
  const file = needsSignIn(outside) ? credentialsFile(users) : null
  const signIn = file === null ? NO_SIGN_IN : signIns.lend(file, outside.CLAUDE_CONFIG_DIR)
  const mask = (text: string) =>
    maskAll(secrets.mask(text), [...signIn.secrets, ...(tools === null ? [] : [tools.token])])
  return {
    claude,
    order,
    form,
    folder,
    env,
    clock,
    windows,
    hasFollowedSession,
    mask,
    mcp: { ...mcpServers(secrets.mcp), ...ownServer(tools) },
    program: (file, args) => ({ file, args, cwd: folder, env, pidFile, containment, folder, stdin: 'pipe' }),
    archive: archiver(transcriptFolder(order.attempt), order, recorded, mask),
    recordedCalls: () => recordedCalls(recorded),
    removeEmptySession: () => removeEmptySession(recorded),
    signOut: signIn.end,
  }
}

const NO_SIGN_IN: LentSignIn = { secrets: new Set(), end() {} }

function maskAll(text: string, words: readonly string[]): string {
  return words.reduce((masked, word) => masked.replaceAll(word, MASKED), text)
}

interface Secrets {
  readonly env: Readonly<Record<string, string>>
  readonly mcp: AgentSettings['mcp']
  readonly mask: Mask
}

/** Resolves `$NAME` in the agent's variables and MCP servers, and makes a mask for the values. */
function secretsOf({ env, mcp }: AgentSettings, { resolveEnv }: DriverOptions): Secrets | Problem {
  const resolved = resolveEnv(env)
  if (isProblem(resolved)) return resolved
  const servers: Record<string, McpServerSettings> = {}
  const [written, values] = [{ ...env }, { ...resolved }]
  for (const [name, server] of Object.entries(mcp)) {
    const unresolved = server.kind === 'program' ? server.env : server.headers
    const resolvedValues = resolveEnv(unresolved)
    if (isProblem(resolvedValues)) return resolvedValues
    servers[name] =
      server.kind === 'program' ? { ...server, env: resolvedValues } : { ...server, headers: resolvedValues }
    for (const key of Object.keys(unresolved)) {
      written[`${name} ${key}`] = unresolved[key] ?? ''
      values[`${name} ${key}`] = resolvedValues[key] ?? ''
    }
  }
  return { env: resolved, mcp: servers, mask: maskFor(written, values) }
}

/** Saves the record of a session before each compaction. */
function archiver(
  folder: string,
  { round }: RoundOrder,
  recorded: RecordedSession,
  mask: Mask,
): ClaudeToStart['archive'] {
  let compactions = 0
  return async () => {
    compactions += 1
    const record = await readRecord(recorded)
    if (record === null) return
    try {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `round-${round}.before-compaction-${compactions}.jsonl`), mask(record))
    } catch {
      // On a full disk the copy is lost; Claude Code still has the original.
    }
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
