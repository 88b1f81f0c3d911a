import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RoundOrder } from '../../../core/model/effect.ts'
import type { SessionId } from '../../../core/model/ids.ts'
import { isProblem, type Problem } from '../../../core/model/problem.ts'
import type { AgentSettings, McpServerSettings } from '../../../core/model/settings.ts'
import type { AgentDriver, RoundSpec } from '../../../ports/agent-driver.ts'
import type { DriverOptions } from '../driver-options.ts'
import { orderVariables } from '../order-variables.ts'
import { agentEnvironment } from './agent-environment.ts'
import type { ClaudeToStart } from './agent-process.ts'
import { MASKED, type Mask, maskFor } from './mask.ts'
import { mcpServers, ownServer, TOKEN_VARIABLE } from './query-options.ts'
import { checkAgent } from './ready.ts'
import { recordedCalls } from './recorded-calls.ts'
import { forgetUnbegun } from './records.ts'
import { claudeRound } from './round.ts'
import { findClaude, loadClaude, loadSdk } from './sdk.ts'

/** Claude Code, through its SDK; one process per round. */
export function claudeDriver(options: DriverOptions): AgentDriver {
  const seen: Seen = { windows: new Map(), sessions: new Set() }
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
      // The agent's program answers while the SDK is being loaded.
      const checking = isProblem(program) ? program : checkAgent(program, env)
      const sdk = await loadSdk()
      return isProblem(sdk) ? sdk : checking
    },
    start: (spec) => claudeRound(() => prepare(spec, options, seen)),
  }
}

/** What the driver remembers from round to round. */
interface Seen {
  readonly windows: Map<string, number>
  /** Those whose every word this engine has heard. */
  readonly sessions: Set<SessionId>
}

async function prepare(
  { order, folder, tools, form }: RoundSpec,
  options: DriverOptions,
  { windows, sessions }: Seen,
): Promise<ClaudeToStart | Problem> {
  const secrets = secretsOf(order.agent, options)
  if (isProblem(secrets)) return secrets
  const { clock, containment, transcriptFolder } = options
  const pidFolder = options.pidFolder(order.attempt)
  const needs = { agent: order.agent, policy: order.context.policy, isRoot: isRoot() }
  const env = {
    ...agentEnvironment(needs, options.environment, secrets.env),
    ...orderVariables(order),
    ...(tools === null ? {} : { [TOKEN_VARIABLE]: tools.token }),
    // What the agent puts down for a while goes with the workspace.
    CLAUDE_CODE_TMPDIR: join(dirname(pidFolder), 'agent'),
  }
  const claude = await loadClaude(env)
  if (isProblem(claude)) return claude
  const isHeard = sessions.has(order.session)
  sessions.add(order.session)
  const pidFile = join(pidFolder, `round-${order.round}.pid`)
  const mask = (text: string) => secrets.mask(tools === null ? text : text.replaceAll(tools.token, MASKED))
  return {
    claude,
    order,
    form,
    folder,
    env,
    clock,
    windows,
    isHeard,
    mask,
    mcp: { ...mcpServers(secrets.mcp), ...ownServer(tools) },
    program: (file, args) => ({ file, args, cwd: folder, env, pidFile, containment, folder, stdin: 'pipe' }),
    archive: archiver(transcriptFolder(order.attempt), order, mask),
    recordedCalls: () => recordedCalls(env, order.session),
    forgetUnbegun: () => forgetUnbegun(env, order.session),
  }
}

interface Secrets {
  readonly env: Readonly<Record<string, string>>
  readonly mcp: AgentSettings['mcp']
  readonly mask: Mask
}

/** The agent's variables and servers with values in the place of `$NAME`, and what takes them out of texts again. */
function secretsOf({ env, mcp }: AgentSettings, { resolveEnv }: DriverOptions): Secrets | Problem {
  const resolved = resolveEnv(env)
  if (isProblem(resolved)) return resolved
  const servers: Record<string, McpServerSettings> = {}
  const [written, values] = [{ ...env }, { ...resolved }]
  for (const [name, server] of Object.entries(mcp)) {
    const wanted = server.kind === 'program' ? server.env : server.headers
    const given = resolveEnv(wanted)
    if (isProblem(given)) return given
    servers[name] = server.kind === 'program' ? { ...server, env: given } : { ...server, headers: given }
    for (const key of Object.keys(wanted)) {
      written[`${name} ${key}`] = wanted[key] ?? ''
      values[`${name} ${key}`] = given[key] ?? ''
    }
  }
  return { env: resolved, mcp: servers, mask: maskFor(written, values) }
}

/** Keeps a session as it was before each of its compactions. */
function archiver(folder: string, { round }: RoundOrder, mask: Mask): ClaudeToStart['archive'] {
  let compactions = 0
  return async (transcript) => {
    compactions += 1
    try {
      const text = mask(await readFile(transcript, 'utf8'))
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, `round-${round}.before-compaction-${compactions}.jsonl`), text)
    } catch {
      // A full disk costs the copy; the agent itself still has its file.
    }
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
