/** Returns a Rust text with the test modules of another, or null when it has the same ones. */
export function withTestsOf(base: string, text: string): string | null {
  const [before, after] = [testModules(base), testModules(text)]
  const changed = [...before].filter(([name, module]) => after.get(name) !== module)
  if (changed.length === 0) return null
  const product = changed.reduce((rest, [name]) => rest.replace(after.get(name) ?? '', () => ''), `${text}\n`)
  return `${product.trimEnd()}\n\n${changed.map(([, module]) => module).join('\n')}`
}

/** Finds the modules of tests by name. Formatted code closes a module with a bracket at the start of a line. */
function testModules(text: string): ReadonlyMap<string, string> {
  const modules = new Map<string, string>()
  const lines = text.split('\n')
  for (let at = lines.indexOf(MARK); at >= 0; at = lines.indexOf(MARK, at + 1)) {
    let head = at + 1
    while (lines[head]?.startsWith('#[') && lines[head] !== MARK) head += 1
    const name = /^(?:pub )?mod (\w+) \{$/.exec(lines[head] ?? '')?.[1]
    if (name === undefined) continue
    const end = lines.indexOf('}', head)
    if (end < 0) break
    modules.set(name, `${lines.slice(at, end + 1).join('\n')}\n`)
    at = end
  }
  return modules
}

const MARK = '#[cfg(test)]'
