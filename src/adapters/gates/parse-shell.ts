import { forEachChild, parse, type SyntaxNode, type Word } from 'unbash'
import type { ParseShell, ShellCommand, SimpleCommand } from '../../core/definitions/shell-command.ts'

/** Parses shell texts with unbash, which recovers from errors. A text that is too deep or too long has no commands. */
export const parseShell: ParseShell = (text) => {
  if (text.length > TEXT_MAX) return []
  try {
    return commandsIn(parse(text))
  } catch (error) {
    if (error instanceof RangeError) return [] // nested deeper than the stack
    throw error
  }
}

/** Returns the commands below a node, those inside words included. */
function commandsIn(node: SyntaxNode): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  forEachChild(node, (child) => commands.push(...commandsOf(child, node)))
  return commands
}

function commandsOf(node: SyntaxNode, parent: SyntaxNode): readonly ShellCommand[] {
  if (node.type === 'Command') return grouped([...commandsIn(node).flatMap(asGroup), simple(node)], parent)
  return OWN_SHELLS.has(node.type) ? asGroup(commandsIn(node)) : grouped(commandsIn(node), parent)
}

/** Groups the sides of a pipe: each runs in a shell of its own. */
function grouped(commands: readonly ShellCommand[], parent: SyntaxNode): readonly ShellCommand[] {
  return parent.type === 'Pipeline' && parent.commands.length > 1 ? asGroup(commands) : commands
}

function asGroup(commands: readonly ShellCommand[] | ShellCommand): readonly ShellCommand[] {
  const list = 'kind' in commands ? [commands] : commands
  return list.length === 0 ? [] : [{ kind: 'group', commands: list }]
}

function simple(node: Extract<SyntaxNode, { type: 'Command' }>): SimpleCommand {
  const args = node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
  const assigned = node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part] : []))
  const documents = node.redirects.flatMap((redirect) => (redirect.type === 'HereDoc' ? [redirect.body.text] : []))
  const strings = node.redirects.flatMap(({ type, ...rest }) =>
    type === 'HereString' && 'target' in rest ? [wordText(rest.target)] : [],
  )
  return {
    kind: 'command',
    words: node.name === undefined ? [] : [node.name.value, ...args],
    variables: Object.fromEntries(assigned.map(({ name, value }) => [name, value.type === 'Word' ? value.value : ''])),
    input: [...documents, ...strings][0] ?? null,
  }
}

function wordText(word: Word | undefined): string {
  return word?.value ?? ''
}

const TEXT_MAX = 200_000
const OWN_SHELLS = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'Function', 'Coproc'])
