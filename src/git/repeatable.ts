/** True for commands that change no ref, index or file: one that was killed can run again. */
export function isRepeatable([command = '', ...args]: readonly string[]): boolean {
  if (command === 'config') return args.some((arg) => READING_CONFIG.test(arg))
  if (command === 'symbolic-ref') return args.filter((arg) => !arg.startsWith('-')).length === 1
  if (command === 'worktree') return args[0] === 'list'
  return READING.has(command)
}

// The last six only add objects, and the same ones each time.
const READING: ReadonlySet<string> = new Set([
  'blame',
  'cat-file',
  'check-ignore',
  'diff',
  'diff-tree',
  'for-each-ref',
  'log',
  'ls-files',
  'ls-tree',
  'merge-base',
  'rev-list',
  'rev-parse',
  'status',
  'var',
  'version',
  'commit-tree',
  'hash-object',
  'index-pack',
  'merge-tree',
  'unpack-objects',
  'write-tree',
])

const READING_CONFIG = /^(--get|--list|-l$)/
