import { type Offer, partsOf, TASKS_COMMAND } from './offers.ts'

/** A script that teaches bash to complete command lines of ours. */
export function bashScript(offers: readonly Offer[]): string {
  return `# longhaul, for bash: eval "$(longhaul completion bash)"
_longhaul() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options="" next=""
  case "$COMP_CWORD:\${COMP_WORDS[1]}:\${COMP_WORDS[2]}" in
    1:*) next="${names(partsOf(offers, []))}" ;;
${offers
  .toReversed()
  .map((offer) => branch(offers, offer))
  .join('\n')}
  esac
  if [[ "$word" == -* ]]; then next="$options"; fi
  COMPREPLY=($(compgen -W "$next" -- "$word"))
}
complete -o default -F _longhaul longhaul
`
}

function names(offers: readonly Offer[]): string {
  return offers.map(({ words }) => words.at(-1)).join(' ')
}

// Parts come before the verb that they belong to, so that the first branch that fits is the nearest.
function branch(offers: readonly Offer[], { words, options, next }: Offer): string {
  const pattern = words.length === 1 ? `*:${words[0]}:*` : `*:${words.join(':')}`
  return `    ${pattern}) options="${options.map(({ name }) => name).join(' ')}" next="${nextWords(offers, words, next)}" ;;`
}

function nextWords(offers: readonly Offer[], words: readonly string[], next: Offer['next']): string {
  if (next === 'parts') return names(partsOf(offers, words))
  if (next === 'tasks') return `$(${TASKS_COMMAND})`
  return typeof next === 'string' ? '' : next.join(' ')
}
