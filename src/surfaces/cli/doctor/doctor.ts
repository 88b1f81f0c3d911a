import { EXIT } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { hanging } from '../render/columns.ts'
import type { Verb } from '../verb.ts'
import type { Examined } from './diagnosis.ts'
import { examine } from './examine.ts'

/** `longhaul doctor`: checks everything that a run needs. */
export const doctorVerb: Verb = {
  about:
    'Checks everything that a run needs, and says what to do about each problem. Changes nothing without --fix. Exits with 1 if something would make a run fail.',
  examples: ['longhaul doctor', 'longhaul doctor --baseline', 'longhaul doctor --deep', 'longhaul doctor --fix --json'],
  shape: (command) =>
    void command
      .option('--baseline', 'also run the checks on the target branch, in a clean checkout')
      .option('--deep', 'also read everything in the state and compare it with its checksums')
      .option('--fix', 'fix what can be fixed safely, and show what was done')
      .option('--json', 'print the results as JSON'),
  async run({ world, output }, { options }) {
    const examined = await examine(world, {
      baseline: options.baseline === true,
      deep: options.deep === true,
      fix: options.fix === true,
    })
    output.json({ checks: examined.map(plain) })
    for (const one of examined) for (const line of rendered(one, output)) output.line(line)
    const bad = examined.filter(({ state }) => state === 'bad').length
    output.line(
      bad === 0 ? 'Ready to run.' : `Fix ${bad === 1 ? '1 problem' : `${bad} problems`} before you start a run.`,
    )
    return bad === 0 ? EXIT.done : EXIT.failed
  },
}

function plain({ name, state, message, hint, fix, fixed }: Examined) {
  return { name, state, message, hint, fixable: fix !== null, fixed }
}

const INDENT = ' '.repeat(20)

function rendered(
  { name, state, message, hint, output = [], fixed }: Examined,
  { colors, width }: Output,
): readonly string[] {
  const color = { ok: colors.green, note: colors.cyan, warn: colors.yellow, bad: colors.red }[state]
  const more = [...(fixed === null ? [] : [`Done: ${fixed}.`]), ...(hint === '' ? [] : [hint])]
  return [
    ...hanging(`${color(state.padEnd(4))}  ${name.padEnd(12)}  `, message, width),
    ...output.flatMap((text) => hanging(`${INDENT}  `, text, width).map(colors.dim)),
    ...more.flatMap((text) => hanging(INDENT, text, width)),
  ]
}
