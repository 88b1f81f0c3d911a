/** Parses a JSON text, which may contain comments and trailing commas; undefined when it is none. */
export function parseJson(text: string): unknown {
  return strict(text) ?? strict(text.replace(COMMENTS, (_, string) => string ?? '').replace(/,(?=\s*[}\]])/g, ''))
}

function strict(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller takes it as a text without entries
  }
}

const COMMENTS = /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g
