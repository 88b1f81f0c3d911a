/** What is wrong with a template, and where. */
export interface TemplateFault {
  readonly line: number
  readonly message: string
}

/**
 * A template with its variables filled in: `{{name}}` stands for a value, and what is between `{{#name}}` and `{{/name}}`
 * is there only when the value is. Throws at anything else in double braces: a template is checked when it is read.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const kept = template.replaceAll(SECTION, (_, name: string, inside: string) => {
    return valueFor(name, values) === '' ? '' : inside
  })
  const filled = kept.replaceAll(VARIABLE, (_, name: string) => valueFor(name, values))
  return filled.replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** Everything wrong with a template, given the variables there are. */
export function templateFaults(template: string, known: readonly string[]): readonly TemplateFault[] {
  const faults: TemplateFault[] = []
  const open: string[] = []
  for (const match of template.matchAll(ANY)) {
    const line = template.slice(0, match.index).split('\n').length
    const [written, sign = '', name = ''] = match
    if (!/^\w+$/.test(name)) faults.push({ line, message: `${written} is not the name of a variable` })
    else if (!known.includes(name)) faults.push({ line, message: `there is no variable "${name}"` })
    if (sign === '#' && open.push(name) > 1) faults.push({ line, message: `${written} is inside of {{#${open[0]}}}` })
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
  if (value === undefined) throw new Error(`a template wants ${name}, which is not given`)
  return value
}
