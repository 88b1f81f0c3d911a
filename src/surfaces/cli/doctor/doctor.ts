import { EXIT } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { hanging } from '../render/columns.ts'
import type { Verb } from '../verb.ts'
import type { Examined } from './diagnosis.ts'
import { examine } from './examine.ts'

/** `longhaul doctor`: says what is ready, what is missing and what to do about it. */
export const doctorVerb: Verb = {
  about:
    'Looks at everything a run needs, and says of each thing whether it is fine and what to do if not. Changes nothing without --fix. Ends with 1 when something keeps a run from going well.',
  examples: ['longhaul doctor', 'longhaul doctor --baseline', 'longhaul doctor --fix --json'],
  shape: (command) =>
    void command
      .option('--baseline', 'run the checks on the target branch, in a clean checkout')
      .option('--fix', 'mend what is safe to mend, and say what was done')
      .option('--json', 'print the findings as JSON'),
  async run({ world, output }, { options }) {
    const found = await examine(world, { baseline: options.baseline === true, fix: options.fix === true })
    output.json({ checks: found.map(plain) })
    for (const one of found) for (const line of rendered(one, output)) output.line(line)
    const bad = found.filter(({ state }) => state === 'bad').length
    output.line(bad === 0 ? 'Everything a run needs is there.' : `${bad} of these must be mended before a run.`)
    return bad === 0 ? EXIT.done : EXIT.failed
  },
}

function plain({ name, state, message, hint, fix, fixed }: Examined) {
  return { name, state, message, hint, fixable: fix !== null, fixed }
}

const INDENT = ' '.repeat(20)

function rendered({ name, state, message, hint, fixed }: Examined, { colors, width }: Output): readonly string[] {
  const color = { ok: colors.green, note: colors.cyan, warn: colors.yellow, bad: colors.red }[state]
  const more = [...(fixed === null ? [] : [`Done: ${fixed}.`]), ...(hint === '' ? [] : [hint])]
  return [
    ...hanging(`${color(state.padEnd(4))}  ${name.padEnd(12)}  `, message, width),
    ...more.flatMap((text) => hanging(INDENT, text, width)),
  ]
}
