/** Why a file could not be read, in words; anything unusual as the system tells it. */
export function whyUnreadable(cause: unknown): string {
  const { code = '' } = cause as { readonly code?: string }
  return REASONS[code] ?? String(cause)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}
