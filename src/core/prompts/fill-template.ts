/** Mistake in a template, with its line. */
export interface TemplateFault {
  readonly line: number
  readonly message: string
}

/**
 * Fills in the variables of a template: `{{name}}` is replaced by its value, and the text between `{{#name}}` and
 * `{{/name}}` stays only when the value is not empty. Throws on an unknown name: templates are checked when they are read.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const sections = template.replaceAll(SECTION, (_, name: string, inside: string) => {
    return valueFor(name, values) === '' ? '' : inside
  })
  const filled = sections.replaceAll(VARIABLE, (_, name: string) => valueFor(name, values))
  return filled.replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** Lists the mistakes in a template. */
export function templateFaults(template: string, known: readonly string[]): readonly TemplateFault[] {
  const faults: TemplateFault[] = []
  const open: string[] = []
  for (const match of template.matchAll(ANY)) {
    const line = template.slice(0, match.index).split('\n').length
    const [written, sign = '', name = ''] = match
    if (!/^\w+$/.test(name)) faults.push({ line, message: `${written} is not the name of a variable` })
    else if (!known.includes(name)) faults.push({ line, message: `there is no variable "${name}"` })
    if (sign === '#' && open.push(name) > 1) faults.push({ line, message: `${written} is inside {{#${open[0]}}}` })
    if (sign === '/' && open.pop() !== name) faults.push({ line, message: `${written} closes nothing` })
  }
  const [unclosed] = open
  if (unclosed !== undefined)
    faults.push({ line: template.split('\n').length, message: `{{#${unclosed}}} is not closed` })
  return faults
}

const SECTION = /\{\{#(\w+)\}\}([\s\S]*?)\{\{\/\1\}\}/g
const VARIABLE = /\{\{(\w+)\}\}/g
const ANY = /\{\{([#/]?)([^}]*)\}\}/g

function valueFor(name: string, values: Readonly<Record<string, string>>): string {
  const value = values[name]
  if (value === undefined) throw new Error(`template variable ${name} is not set`)
  return value
}
