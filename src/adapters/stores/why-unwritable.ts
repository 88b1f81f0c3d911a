/** Explains to a person why a file or folder could not be written. */
export function whyUnwritable(cause: unknown): string {
  const { code = '', path = '' } = cause as NodeJS.ErrnoException
  const reason = REASONS[code]
  if (reason === undefined) return cause instanceof Error ? cause.message : String(cause)
  return `${reason}${path === '' ? '' : ` (${path})`}`
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'the disk is read-only',
  ENOENT: 'the folder cannot be created',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
}
