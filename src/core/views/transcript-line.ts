import { oneLine } from './line-parts.ts'

/** One thing that an agent said or did, as a person reads it. */
export interface TranscriptLine {
  /** `result`: what a tool answered. */
  readonly who: 'agent' | 'tool' | 'result' | 'longhaul'
  readonly text: string
}

/** Puts one line of an agent's own output into words; nothing: it says nothing to a person. */
export function transcriptLines(raw: string): readonly TranscriptLine[] {
  const parsed = parse(raw)
  if (parsed === null) return said('agent', raw)
  if (parsed.kind === 'longhaul-note') return said('longhaul', textIn(parsed.text))
  switch (parsed.type) {
    case 'say':
      return said('agent', textIn(parsed.text))
    case 'tool':
      return said('tool', `${textIn(parsed.name)} ${textIn(parsed.input)}`)
    case 'tool-output':
      return said('result', textIn(parsed.text))
    case 'assistant':
    case 'user':
      return contentOf(parsed.message).flatMap(blockLines)
    case 'result':
      return said('longhaul', `the round ended: ${textIn(parsed.subtype) || textIn(parsed.kind)}`)
    default:
      return []
  }
}

type Loose = Readonly<Record<string, unknown>>

function parse(raw: string): Loose | null {
  try {
    const value: unknown = JSON.parse(raw)
    return isObject(value) ? value : null
  } catch {
    return null // some program wrote over the agent's output: shown as it is
  }
}

function blockLines(block: Loose): readonly TranscriptLine[] {
  switch (block.type) {
    case 'text':
      return said('agent', textIn(block.text))
    case 'tool_use':
      return said('tool', `${textIn(block.name)} ${inputText(block.input)}`)
    case 'tool_result':
      return said('result', resultText(block.content))
    default:
      return []
  }
}

/** The one value of a tool's input that says most, or all of it. */
function inputText(input: unknown): string {
  if (!isObject(input)) return textIn(input)
  const told = ['command', 'file_path', 'path', 'pattern', 'url', 'description'].find((name) => name in input)
  return told === undefined ? JSON.stringify(input) : textIn(input[told])
}

function resultText(content: unknown): string {
  return contentOf({ content })
    .map(({ text }) => textIn(text))
    .join(' ')
}

function contentOf(message: unknown): readonly Loose[] {
  const content = isObject(message) ? message.content : []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

function said(who: TranscriptLine['who'], text: string): readonly TranscriptLine[] {
  const shown = oneLine(text.slice(0, TEXT_MAX))
  return shown === '' ? [] : [{ who, text: shown }]
}

const TEXT_MAX = 2_000

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
