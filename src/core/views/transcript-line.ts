import { oneLine } from './line-parts.ts'

/** Something an agent said or did, rendered for people. */
export interface TranscriptLine {
  /** `result` is the output of a tool. */
  readonly who: 'agent' | 'tool' | 'result' | 'longhaul'
  readonly text: string
}

/** Renders a line of an agent's raw output; empty when it holds nothing for people. */
export function transcriptLines(raw: string): readonly TranscriptLine[] {
  const parsed = parse(raw)
  if (parsed === null) return lineOf('agent', raw)
  if (parsed.kind === 'longhaul-note') return lineOf('longhaul', textIn(parsed.text))
  switch (parsed.type) {
    case 'say':
      return lineOf('agent', textIn(parsed.text))
    case 'tool':
      return lineOf('tool', `${textIn(parsed.name)} ${textIn(parsed.input)}`)
    case 'tool-output':
      return lineOf('result', textIn(parsed.text))
    case 'assistant':
    case 'user':
      return contentOf(parsed.message).flatMap(blockLines)
    case 'result':
      return lineOf('longhaul', `round ended: ${textIn(parsed.subtype) || textIn(parsed.kind)}`)
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
    return null // another program wrote to the agent's output: shown unchanged
  }
}

function blockLines(block: Loose): readonly TranscriptLine[] {
  switch (block.type) {
    case 'text':
      return lineOf('agent', textIn(block.text))
    case 'tool_use':
      return lineOf('tool', `${textIn(block.name)} ${inputText(block.input)}`)
    case 'tool_result':
      return lineOf('result', resultText(block.content))
    default:
      return []
  }
}

/** Returns the most informative value of a tool's input, or all of it. */
function inputText(input: unknown): string {
  if (!isObject(input)) return textIn(input)
  const key = ['command', 'file_path', 'path', 'pattern', 'url', 'description'].find((name) => name in input)
  return key === undefined ? JSON.stringify(input) : textIn(input[key])
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

function lineOf(who: TranscriptLine['who'], text: string): readonly TranscriptLine[] {
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
