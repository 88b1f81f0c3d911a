/** The pattern of a glob: * stands for any text, ? for any character. */
export function globPattern(glob: string): RegExp {
  const literal = glob.replaceAll(/[\\^$.+()[\]{}|/-]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/\*+/g, '.*').replaceAll('?', '.')}$`, 's')
}
