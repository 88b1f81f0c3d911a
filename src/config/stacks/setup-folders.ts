/** Returns the folders that setup commands are known to create, relative to the repository. */
export function setupFolders(commands: readonly string[]): readonly string[] {
  return [...new Set(commands.flatMap(foldersOf))]
}

const KNOWN: readonly (readonly [command: RegExp, folder: string])[] = [
  [/(^|[\s;&])(npm|pnpm|yarn|bun) (ci|install|i)\b/, 'node_modules'],
  [/(^|[\s;&])yarn( --\S+)*$/, 'node_modules'],
  [/(^|[\s;&])(uv|pdm) sync\b/, '.venv'],
  [/(^|[\s;&])composer install\b/, 'vendor'],
]

function foldersOf(command: string): readonly string[] {
  const [, quoted, plain, rest] = /^cd (?:'([^']+)'|([\w./-]+)) && (.*)$/s.exec(command) ?? []
  const prefix = rest === undefined ? '' : `${quoted ?? plain}/`
  const text = rest ?? command
  const environment = /-m (?:venv|virtualenv) ([\w./-]+)/.exec(text)?.[1]
  const known = KNOWN.flatMap(([pattern, folder]) => (pattern.test(text) ? [folder] : []))
  return [...known, ...(environment === undefined || environment.startsWith('/') ? [] : [environment])].map(
    (folder) => `${prefix}${folder}`,
  )
}
