import { examineMachine, examineRepository, type Finding } from './examine.ts'
import { EXIT } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { Verb } from './verb.ts'

/** `longhaul doctor`: says what is ready, what is missing and what to do about it. */
export const doctorVerb: Verb = {
  about:
    'Looks at everything a run needs, and says of each thing whether it is fine and what to do if not. Changes nothing.',
  examples: ['longhaul doctor', 'longhaul doctor --json'],
  shape: (command) => void command.option('--json', 'print the findings as JSON'),
  async run({ world, output }) {
    const findings = [...(await examineMachine(world)), ...(await examineRepository(world))]
    output.json({ checks: findings })
    for (const finding of findings) output.line(rendered(finding, output.colors))
    const bad = findings.filter(({ state }) => state === 'bad').length
    output.line(bad === 0 ? 'Everything a run needs is there.' : `${bad} of these must be mended before a run.`)
    return bad === 0 ? EXIT.done : EXIT.wrong
  },
}

function rendered({ name, state, message, hint }: Finding, colors: Output['colors']): string {
  const color = { ok: colors.green, warn: colors.yellow, bad: colors.red }[state]
  return `${color(state.padEnd(4))}  ${name.padEnd(12)}  ${message}${hint === '' ? '' : `\n${' '.repeat(20)}${hint}`}`
}
