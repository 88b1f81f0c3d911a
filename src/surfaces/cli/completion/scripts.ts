/** Completion scripts by shell; each asks `longhaul completion --next` and shows the result. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# longhaul, for bash: eval "$(longhaul completion bash)"
_longhaul() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="" part found
  # bash splits --task=x at the sign.
  if [[ "$word" == "=" ]]; then word=""; fi
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ "$part" != "=" ]]; then before+="$part"$'\\t'; fi
  done
  COMPREPLY=()
  while IFS= read -r found; do
    if [[ "$found" == "<files>" ]]; then compopt -o default; return; fi
    found="\${found%%$'\\t'*}"
    if [[ "$found" == "$word"* ]]; then COMPREPLY+=("$found"); fi
  done < <(longhaul completion --next="$before$word" 2>/dev/null)
}
complete -o nosort -F _longhaul longhaul`,

  zsh: `#compdef longhaul
# longhaul, for zsh: eval "$(longhaul completion zsh)"
_longhaul() {
  local -a before offers
  local found
  before=("\${(@Q)words[2,CURRENT-1]}" "$PREFIX")
  for found in "\${(@f)$(longhaul completion --next="\${(pj:\\t:)before}" 2>/dev/null)}"; do
    if [[ "$found" == "<files>" ]]; then _files; return; fi
    if [[ -n "$found" ]]; then offers+=("\${\${found%%$'\\t'*}//:/\\\\:}:\${found#*$'\\t'}"); fi
  done
  _describe -V longhaul offers
}
if [[ "\${funcstack[1]}" == "_longhaul" ]]; then
  _longhaul "$@"
else
  if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
  compdef _longhaul longhaul
fi`,

  fish: `# longhaul, for fish: longhaul completion fish | source
function __longhaul_next
  set -l before (commandline -opc)[2..-1] (commandline -ct)
  set -l joined (string join \\t -- $before)
  set -l found (longhaul completion --next="$joined" 2>/dev/null)
  if test "$found" = "<files>"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c longhaul -f -a '(__longhaul_next)'`,
}
