import { type Offer, partsOf, TASKS_COMMAND } from './offers.ts'

/** A script that teaches zsh to complete command lines of ours. */
export function zshScript(offers: readonly Offer[]): string {
  return `#compdef longhaul
# longhaul, for zsh: eval "$(longhaul completion zsh)", after compinit
_longhaul() {
  local -a options next
  local files=""
  case "$CURRENT:$words[2]:$words[3]" in
    2:*) next=(${described(partsOf(offers, []))}) ;;
${offers
  .toReversed()
  .map((offer) => branch(offers, offer))
  .join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe option options
  elif (( $#next > 0 )); then _describe word next
  elif [[ -n "$files" ]]; then _files
  fi
}
compdef _longhaul longhaul
`
}

function branch(offers: readonly Offer[], { words, options, next }: Offer): string {
  const pattern = words.length === 1 ? `*:${words[0]}:*` : `*:${words.join(':')}`
  const known = options.map(({ name, summary }) => entry(name, summary)).join(' ')
  return `    ${pattern}) options=(${known}); ${following(offers, words, next)} ;;`
}

function following(offers: readonly Offer[], words: readonly string[], next: Offer['next']): string {
  if (next === 'parts') return `next=(${described(partsOf(offers, words))})`
  if (next === 'tasks') return `next=(\${(f)"$(${TASKS_COMMAND})"})`
  if (next === 'files') return 'files=1'
  return next === 'nothing' ? ':' : `next=(${next.join(' ')})`
}

function described(offers: readonly Offer[]): string {
  return offers.map(({ words, summary }) => entry(words.at(-1) ?? '', summary)).join(' ')
}

function entry(name: string, summary: string): string {
  return `'${name}:${summary.replaceAll("'", "'\\''")}'`
}
