import type { Stack, SuggestedGate } from './find-stack.ts'

/** A short `longhaul.yaml` with comments, made for the stacks that were found. */
export function exampleSettings(found: readonly Stack[]): string {
  return [HEAD, AGENT, gatesPart(found), workspacePart(found), LIMITS].join('\n')
}

const HEAD = `# Settings of Longhaul. Durations are in seconds; everything left out has a default.
# target: main                   # the branch work lands on; without it, the one checked out
`

const AGENT = `agent:
  driver: scripted               # plays a script instead of calling a model; the only driver of this version
  script: script.yaml            # what it does, task by task
  # env: { SOME_KEY: $SOME_KEY } # added to the agent's environment; $NAME is read from yours, never stored
`

const LIMITS = `limits:
  parallel: 3                    # tasks worked on at once
  attempts: 3                    # per task

budget:                          # US dollars; null: no limit
  task_usd: 5
  run_usd: 50
  day_usd: 100
`

function gatesPart(found: readonly Stack[]): string {
  const gates = withOwnNames(found)
  const comment =
    '# Work is done when these pass on exactly what lands. "protect" names files an attempt may not change.\n'
  if (gates.length > 0) return `${comment}gates:\n${gates.map(gateEntry).join('')}`
  return `${comment}# Nothing was recognised here: write at least one check, or "gates: []" for none, on purpose.
# gates:
#   - name: tests
#     run: make test
#     protect: [ "test/**" ]
`
}

/** With several stacks their gates would share names. */
function withOwnNames(found: readonly Stack[]): readonly SuggestedGate[] {
  return found.flatMap(({ name, gates }) =>
    gates.map((gate) => (found.length > 1 ? { ...gate, name: `${name}-${gate.name}` } : gate)),
  )
}

function gateEntry({ name, run, protect }: SuggestedGate): string {
  const lines = [`  - name: ${name}`, `    run: ${run}`]
  const globs = protect.map((glob) => JSON.stringify(glob)).join(', ')
  return `${[...lines, ...(protect.length > 0 ? [`    protect: [ ${globs} ]`] : [])].join('\n')}\n`
}

function workspacePart(found: readonly Stack[]): string {
  const setup = found.flatMap((stack) => stack.setup)
  const comment = '# What makes a fresh clone ready for work and checks.\n'
  if (setup.length === 0) return `${comment}# workspace:\n#   setup: [ make deps ]\n`
  return `${comment}workspace:\n  setup:\n${setup.map((command) => `    - ${command}\n`).join('')}`
}
