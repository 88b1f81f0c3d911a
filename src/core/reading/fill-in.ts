/** A text with {name} filled in for each name that is given; not after a dollar sign: "${task}" is the shell's own. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/(?<!\$)\{(\w+)\}/g, (written, name: string) => {
    return Object.hasOwn(values, name) ? String(values[name]) : written
  })
}
