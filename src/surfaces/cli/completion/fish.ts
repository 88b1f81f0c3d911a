import { type Offer, TASKS_COMMAND } from './offers.ts'

/** A script that teaches fish to complete command lines of ours. */
export function fishScript(offers: readonly Offer[]): string {
  const lines = offers.flatMap(({ words, summary, options, next }) => {
    const [verb = '', part] = words
    const own = part === undefined ? `__fish_seen_subcommand_from ${verb}` : `${seen(verb)}; and ${seen(part)}`
    const before = part === undefined ? '__fish_use_subcommand' : `${seen(verb)}; and not ${seen(part)}`
    return [
      `complete -c longhaul -n '${before}' -f -a ${words.at(-1)} -d ${quoted(summary)}`,
      ...options.map(
        ({ name, summary: about }) => `complete -c longhaul -n '${own}' -l ${name.slice(2)} -d ${quoted(about)}`,
      ),
      ...following(own, next),
    ]
  })
  return ['# longhaul, for fish: longhaul completion fish | source', ...lines, ''].join('\n')
}

function seen(word: string): string {
  return `__fish_seen_subcommand_from ${word}`
}

function following(own: string, next: Offer['next']): readonly string[] {
  if (next === 'files' || next === 'parts') return []
  if (next === 'nothing') return [`complete -c longhaul -n '${own}' -f`]
  const words = next === 'tasks' ? `(${TASKS_COMMAND})` : next.join(' ')
  return [`complete -c longhaul -n '${own}' -f -a '${words}'`]
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
