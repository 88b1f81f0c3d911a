import type { Reading } from './raw-backlog.ts'
import { parseJson, readJson } from './read-json.ts'
import { readJsonLines } from './read-jsonl.ts'
import { readMarkdown } from './read-markdown.ts'
import { readYaml } from './read-yaml.ts'

/** Reads a task file in the format of its extension, or else of its content. */
export function readFormat(name: string, text: string): Reading {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  const read = READERS[extension] ?? readerOf(text)
  return read(text)
}

const READERS: Readonly<Record<string, (text: string) => Reading>> = {
  yaml: readYaml,
  yml: readYaml,
  json: readJson,
  jsonl: readJsonLines,
  ndjson: readJsonLines,
  md: readMarkdown,
  markdown: readMarkdown,
}

function readerOf(text: string): (text: string) => Reading {
  if (/^[-*+] \[[ xX]\] /m.test(text)) return readMarkdown
  if (!/^\s*[{[]/.test(text)) return readYaml
  const [first = ''] = text.trim().split('\n', 1)
  return parseJson(text) === undefined && parseJson(first) !== undefined ? readJsonLines : readJson
}
