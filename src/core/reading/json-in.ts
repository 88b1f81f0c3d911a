const STARTS_MAX = 20

/** The JSON object in a model's words, whatever it says before and after it; null: there is none. */
export function jsonIn(text: string): Readonly<Record<string, unknown>> | null {
  const end = text.lastIndexOf('}')
  let start = text.indexOf('{')
  for (let tries = 0; start >= 0 && start < end && tries < STARTS_MAX; tries += 1) {
    const value = parsed(text.slice(start, end + 1))
    if (value !== null) return value
    start = text.indexOf('{', start + 1)
  }
  return null
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // A brace in prose begins no object: the next one may.
    return null
  }
}
