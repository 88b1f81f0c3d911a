/** Returns a Rust text with the test modules of another, or null when it has the same ones. */
export function withTestsOf(base: string, text: string): string | null {
  const [before, after] = [testModules(base), testModules(text)]
  const changed = [...before].filter(([name, module]) => after.get(name) !== module)
  if (changed.length === 0) return null
  const product = changed.reduce((rest, [name]) => rest.replace(after.get(name) ?? '', () => ''), text)
  return `${product.trimEnd()}\n\n${changed.map(([, module]) => module).join('\n')}`
}

/** Finds the modules of tests by name. */
function testModules(text: string): ReadonlyMap<string, string> {
  return new Map([...text.slice(0, TEXT_MAX).matchAll(TEST_MODULE)].map(([module, name = '']) => [name, module]))
}

// Formatted code closes a module with a bracket at the start of a line.
const TEST_MODULE = /^#\[cfg\(test\)\]\n(?:#.*\n)*(?:pub )?mod (\w+) \{(?:\n[^}\n].*|\n)*\n\}\n?/gm
const TEXT_MAX = 500_000
