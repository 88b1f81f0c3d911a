import { ProblemError } from '../../../core/model/problem.ts'
import { TEMPLATES, VARIABLES } from '../../../core/prompts/templates/templates.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { wrap } from '../render/columns.ts'
import { findRepository, loadedSettings, promptFolders } from '../repository/open-repository.ts'
import type { Verb } from '../verb.ts'

/** `longhaul config prompts`: what agents are told, and where it comes from. */
export const promptsVerb: Verb = {
  about:
    'Lists the prompts that agents are told, and where each comes from; with a name, prints one as it is written. "longhaul show TASK --prompt" prints what is sent.',
  examples: ['longhaul config prompts', 'longhaul config prompts implement > prompts/implement.md'],
  shape: (command) => void command.argument('[name]', 'a prompt').option('--json', 'print them as JSON'),
  async run(context, { args }) {
    const place = await findRepository(context)
    const loaded = await loadedSettings(context.world, place, {})
    if (loaded.kind === 'wrong') throw new ProblemError(...loaded.problems)
    const { ownPrompts } = await import('../../../config/prompts.ts')
    const { prompts: own } = ownPrompts(loaded, promptFolders(context.world, place))
    const shipped = Object.entries(TEMPLATES).map(([name, text]) => ({ name, file: null, text }))
    const all = new Map<string, Shown>([...shipped, ...own].map((one) => [one.name, one]))
    const { output } = context
    const wanted = args[0]
    if (wanted !== undefined) {
      const found = all.get(wanted) ?? unknown(wanted, [...all.keys()])
      output.json({ prompts: [found], variables: [...VARIABLES] })
      output.line(found.text.trimEnd())
      return EXIT.done
    }
    output.json({ prompts: [...all.values()], variables: [...VARIABLES] })
    const longest = Math.max(...[...all.keys()].map((name) => name.length))
    for (const { name, file } of all.values()) output.line(`${name.padEnd(longest)}  ${file ?? 'as it ships'}`)
    output.line('')
    for (const line of wrap(`Variables: ${VARIABLES.map((name) => `{{${name}}}`).join(' ')}`, output.width))
      output.line(line)
    return EXIT.done
  },
}

interface Shown {
  readonly name: string
  readonly file: string | null
  readonly text: string
}

function unknown(wanted: string, names: readonly string[]): never {
  const nearest = nearestName(wanted, names)
  const hint = nearest === null ? `The prompts: ${names.join(', ')}.` : `Did you mean ${nearest}?`
  return refuse('prompt-unknown', `There is no prompt "${wanted}".`, hint)
}
