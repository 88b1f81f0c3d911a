import { ProblemError } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { WEIGHTS, type Weight } from '../../../core/model/task.ts'
import type { PhaseSpec, Workflow } from '../../../core/model/workflow.ts'
import { agentsOf } from '../../../core/phases/workflows.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { hanging } from '../render/columns.ts'
import { findRepository, loadedSettings } from '../repository/open-repository.ts'
import type { Verb } from '../verb.ts'

/** `longhaul config workflows`: shows the phases of tasks of each weight. */
export const workflowsVerb: Verb = {
  about:
    'Shows the phases that a task of each weight goes through: who does each, which gates must pass, and where findings send the work back to. With --yaml, prints them as "workflows" of a longhaul.yaml, as a starting point for your own.',
  examples: ['longhaul config workflows', 'longhaul config workflows large', 'longhaul config workflows --yaml'],
  shape: (command) =>
    void command
      .argument('[weight]', WEIGHTS.join(', '))
      .option('--yaml', 'print them as they are written in longhaul.yaml')
      .option('--json', 'print them as JSON'),
  async run(context, { args, options }) {
    const loaded = await loadedSettings(context.world, await findRepository(context), {})
    if (loaded.kind === 'wrong') throw new ProblemError(...loaded.problems)
    const { settings, written } = loaded
    const wanted = args[0] === undefined ? WEIGHTS : [weightOf(args[0])]
    const { output } = context
    output.json({ workflows: wanted.map((weight) => plain(weight, settings)) })
    if (options.yaml === true) {
      const { stringify } = await import('yaml')
      const workflows = Object.fromEntries(wanted.map((weight) => [weight, written.workflows[weight]]))
      output.line(stringify({ workflows }, { collectionStyle: 'any', lineWidth: 0 }).trimEnd())
      return EXIT.done
    }
    for (const [index, weight] of wanted.entries()) {
      if (index > 0) output.line('')
      for (const line of workflowLines(weight, settings, output.width)) output.line(line)
    }
    return EXIT.done
  },
}

function weightOf(word: string): Weight {
  const weight = WEIGHTS.find((one) => one === word)
  return (
    weight ?? refuse('weight-unknown', `There is no weight "${word}".`, `Available weights: ${WEIGHTS.join(', ')}.`)
  )
}

function plain(weight: Weight, settings: Settings) {
  const { phases, ...strategy } = settings.workflows[weight]
  const agents = agentsOf(settings.workflows[weight], settings)
  return {
    weight,
    ...strategy,
    phases: phases.map((phase) => {
      const { driver, model, access } = agents[phase.name] ?? { driver: null, model: null, access: null }
      return { ...phase, driver, model, access, gates: gatesOf(phase, settings) }
    }),
  }
}

function workflowLines(weight: Weight, settings: Settings, width: number | null): readonly string[] {
  const workflow = settings.workflows[weight]
  const agents = agentsOf(workflow, settings)
  const longest = Math.max(...workflow.phases.map(({ name }) => name.length))
  return [
    `${weight}: ${strategyText(workflow)}`,
    ...workflow.phases.flatMap((phase) => {
      const { driver, model } = agents[phase.name] ?? { driver: '', model: null }
      const agent = `agent as ${phase.role} (${[driver, model].filter(Boolean).join(', ')})`
      const worker = { agent, script: 'gates only', person: 'a person approves or rejects' }[phase.by]
      const gates = gatesOf(phase, settings)
      const parts = [
        worker,
        ...(gates.length === 0 ? [] : [`gates: ${gates.join(', ')}`]),
        ...(phase.backTo === null || phase.backTo === phase.name ? [] : [`findings go back to ${phase.backTo}`]),
        ...(phase.rounds === null ? [] : [`at most ${phase.rounds} rounds`]),
      ]
      return hanging(`  ${phase.name.padEnd(longest)}  `, parts.join('; '), width)
    }),
    '  then landing, with all gates on the merged commit',
  ]
}

function strategyText({ session, commit, rounds }: Workflow): string {
  const sessions = { prompt: 'a session per prompt', phase: 'a session per phase', attempt: 'one session' }[session]
  const commits = { attempt: 'one commit', phase: 'a commit per phase', round: 'a commit per round' }[commit]
  return `${sessions}, ${commits}, at most ${rounds} rounds per phase`
}

function gatesOf({ gates }: PhaseSpec, settings: Settings): readonly string[] {
  const all = settings.gates?.filter(({ onFail }) => onFail !== 'skip').map(({ name }) => name) ?? []
  return gates === 'all' ? all : gates
}
