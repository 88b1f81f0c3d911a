import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RoundOrder } from '../../../core/model/effect.ts'
import { isProblem, type Problem, problem } from '../../../core/model/problem.ts'
import type { AgentDriver, RoundSpec } from '../../../ports/agent-driver.ts'
import { type DriverOptions, orderVariables } from '../driver-options.ts'
import { agentFile } from './agent-file.ts'
import { stepsFor } from './match-rule.ts'
import { type ScriptReader, scriptReader } from './read-script.ts'
import { type ScriptedToStart, scriptedRound } from './round.ts'

/** Agent that plays a script, for rehearsals, tests and the demo. */
export function scriptedDriver(options: DriverOptions): AgentDriver {
  const readScript = scriptReader(options.scriptFolder)
  return {
    name: 'scripted',
    capabilities: {
      resume: true,
      steer: true,
      contextSize: true,
      cost: false,
      maxTurns: false,
      structuredErrors: true,
      tools: false,
      forms: false,
    },
    async ready({ agent }) {
      if (!existsSync(agentFile())) return notBuilt()
      const env = options.resolveEnv(agent.env)
      if (isProblem(env)) return env
      const rules = await readScript(agent.script)
      return isProblem(rules) ? rules : null
    },
    start: (spec) => scriptedRound(() => prepare(spec, options, readScript)),
  }
}

async function prepare(
  { order, folder, onHostRefused }: RoundSpec,
  { sandbox, pidFolder, environment, resolveEnv }: DriverOptions,
  readScript: ScriptReader,
): Promise<ScriptedToStart | Problem> {
  const rules = await readScript(order.agent.script)
  if (isProblem(rules)) return rules
  const { task, number: attempt, phase, role, phaseRound, round, session, agent } = order
  const steps = stepsFor(rules, { task: task.id, attempt, phase, role, round: phaseRound })
  if (steps === null) return noRule(order)
  const requested = resolveEnv(agent.env)
  if (isProblem(requested)) return requested
  const { containment, env } = sandbox.enclose({
    purpose: 'agent',
    folder,
    env: { ...environment, ...requested, ...orderVariables(order) },
    reads: [dirname(agentFile())],
    onRefused: onHostRefused,
  })
  return {
    session,
    order: {
      task: task.id,
      title: task.title,
      attempt,
      phase,
      phaseRound,
      round,
      session,
      access: agent.access,
      steps,
      model: agent.model ?? 'scripted',
      prompt: order.sessionKnown ? order.prompt : order.opening,
    },
    program: {
      file: process.execPath,
      args: [agentFile()],
      cwd: folder,
      env,
      pidFile: join(pidFolder(order.attempt), `round-${round}.pid`),
      containment,
      folder,
      stdin: 'pipe',
    },
  }
}

function noRule({ agent, task, number, phase, phaseRound }: RoundOrder): Problem {
  return problem({
    code: 'script-no-rule',
    message: `${agent.script} has no rule for task ${task.id}, attempt ${number}, phase ${phase}, round ${phaseRound}.`,
    hint: 'Add one; a last rule with task "*" matches everything else.',
    retry: 'never',
  })
}

function notBuilt(): Problem {
  return problem({
    code: 'agent-missing',
    message: `The scripted agent's program ${agentFile()} is missing.`,
    hint: 'Build the project first: npm run build.',
    retry: 'never',
  })
}
