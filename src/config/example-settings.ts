import { stringify } from 'yaml'
import { PRESET_NAMES, PRESETS, type PresetName } from './presets.ts'
import type { SuggestedGate } from './stacks/stack.ts'

/** Content of a first settings file. */
export interface Example {
  readonly gates: readonly SuggestedGate[]
  readonly setup: readonly string[]
  readonly preset: PresetName | null
  readonly driver: string
  /** Line that points editors to the schema. */
  readonly modeline: string
}

/** Renders a short `longhaul.yaml` with comments. */
export function exampleSettings({ gates, setup, preset, driver, modeline }: Example): string {
  return [modeline, HEAD, presetPart(preset), agentPart(driver), gatesPart(gates), workspacePart(setup), TAIL].join(
    '\n',
  )
}

const HEAD = `# Longhaul settings. Only "gates" is required; to list all keys and their defaults: longhaul config explain
# target: main                   # the branch work lands on; by default the one checked out`

const TAIL = `# Limits on concurrency and cost (US dollars); these are the defaults unless a preset changes them:
# limits: { parallel: 3, attempts: 3 }
# budget: { task_usd: 5, run_usd: 50, day_usd: 100 }
`

function presetPart(preset: PresetName | null): string {
  const about = preset === null ? `${PRESET_NAMES.join(', ')}: a set of other defaults` : PRESETS[preset].about
  return `${preset === null ? '# preset: safe' : `preset: ${preset}`}`.padEnd(COMMENT_COLUMN).concat(`# ${about}\n`)
}

const COMMENT_COLUMN = 33

function agentPart(driver: string): string {
  const env = '  # env: { SOME_KEY: $SOME_KEY } # added to its environment; $NAME is read from yours and never stored\n'
  if (driver !== 'scripted') {
    return `agent:
  driver: ${driver}
  # model: opus                  # by default the agent's own choice
${env}`
  }
  return `agent:
  driver: scripted               # plays a script instead of calling a model
  script: script.yaml            # what it does for each task
${env}`
}

function gatesPart(gates: readonly SuggestedGate[]): string {
  const comment =
    '# Work is done when these pass on the exact commit that lands. "protect": files an attempt may not change.\n'
  if (gates.length > 0) return `${comment}gates:\n${gates.map(gateEntry).join('')}`
  return `${comment}# No checks were detected: add at least one, or write "gates: []" to work without checks.
# gates:
#   - name: tests
#     run: make test
#     protect: [ "test/**" ]
`
}

function gateEntry({ name, run, protect }: SuggestedGate): string {
  const lines = [`  - name: ${scalar(name)}`, `    run: ${scalar(run)}`]
  const globs = protect.map((glob) => JSON.stringify(glob)).join(', ')
  return `${[...lines, ...(protect.length > 0 ? [`    protect: [ ${globs} ]`] : [])].join('\n')}\n`
}

function workspacePart(setup: readonly string[]): string {
  const comment = '# Commands that prepare a fresh clone for work and checks.\n'
  if (setup.length === 0) return `${comment}# workspace:\n#   setup: [ make deps ]\n`
  return `${comment}workspace:\n  setup:\n${setup.map((command) => `    - ${scalar(command)}\n`).join('')}`
}

function scalar(text: string): string {
  return stringify(text, { lineWidth: 0 }).trimEnd()
}
