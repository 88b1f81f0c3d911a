import { ProblemError } from '../../../core/model/problem.ts'
import { TEMPLATES, VARIABLES } from '../../../core/prompts/templates.ts'
import { nearestName } from '../../../core/reading/nearest-name.ts'
import { EXIT } from '../exit-codes.ts'
import { refuse } from '../refusal.ts'
import { wrap } from '../render/columns.ts'
import { findRepository, loadedSettings, promptFolders } from '../repository/open-repository.ts'
import type { Verb } from '../verb.ts'

/** `longhaul config prompts`: shows the prompts of agents and where they come from. */
export const promptsVerb: Verb = {
  about:
    'Lists the prompts for agents and where each comes from; with a name, prints that template. "longhaul show TASK --prompt" prints what is actually sent.',
  examples: ['longhaul config prompts', 'longhaul config prompts implement > prompts/implement.md'],
  shape: (command) => void command.argument('[name]', 'name of a prompt').option('--json', 'print them as JSON'),
  async run(context, { args }) {
    const repository = await findRepository(context)
    const loaded = await loadedSettings(context.world, repository, {})
    if (loaded.kind === 'wrong') throw new ProblemError(...loaded.problems)
    const { ownPrompts } = await import('../../../config/prompts.ts')
    const { prompts: own } = ownPrompts(loaded, promptFolders(context.world, repository))
    const shipped = Object.entries(TEMPLATES).map(([name, text]) => ({ name, file: null, text }))
    const all = new Map<string, ShownPrompt>([...shipped, ...own].map((one) => [one.name, one]))
    const { output } = context
    const wanted = args[0]
    if (wanted !== undefined) {
      const prompt = all.get(wanted) ?? unknown(wanted, [...all.keys()])
      output.json({ prompts: [prompt], variables: [...VARIABLES] })
      output.line(prompt.text.trimEnd())
      return EXIT.done
    }
    output.json({ prompts: [...all.values()], variables: [...VARIABLES] })
    const longest = Math.max(...[...all.keys()].map((name) => name.length))
    for (const { name, file } of all.values()) output.line(`${name.padEnd(longest)}  ${file ?? 'built in'}`)
    output.line('')
    for (const line of wrap(`Variables: ${VARIABLES.map((name) => `{{${name}}}`).join(' ')}`, output.width))
      output.line(line)
    return EXIT.done
  },
}

interface ShownPrompt {
  readonly name: string
  readonly file: string | null
  readonly text: string
}

function unknown(wanted: string, names: readonly string[]): never {
  const nearest = nearestName(wanted, names)
  const hint = nearest === null ? `Available prompts: ${names.join(', ')}.` : `Did you mean ${nearest}?`
  return refuse('prompt-unknown', `There is no prompt "${wanted}".`, hint)
}
