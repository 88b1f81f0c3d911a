import type { AttemptId } from '../../../core/model/ids.ts'
import { type TranscriptLine, transcriptLines } from '../../../core/views/transcript-line.ts'
import type { TranscriptTail } from '../../../ports/transcripts.ts'
import { wrap } from '../render/columns.ts'
import { type ScreenLine, span, type Tone } from './spans.ts'

/** Renders the end of an attempt's transcript. */
export function transcriptPage(
  attempt: AttemptId | null,
  tail: TranscriptTail | null,
  columns: number,
): readonly ScreenLine[] {
  if (attempt === null || tail === null) return [[span('No agent has worked on this task yet.', 'dim')]]
  const before = tail.isCut ? ', its end' : ''
  const head: ScreenLine = [span(`${attempt}, round ${tail.round}${before}`, 'strong')]
  const body = tail.lines.flatMap(transcriptLines).flatMap((line) => transcriptRows(line, columns))
  return [head, ...(body.length === 0 ? [[span('Nothing yet in this round.', 'dim')]] : body)]
}

interface Look {
  readonly mark: string
  readonly tone: Tone
  readonly linesMax: number
}

const LOOKS: Readonly<Record<TranscriptLine['who'], Look>> = {
  agent: { mark: '', tone: 'plain', linesMax: 20 },
  tool: { mark: '> ', tone: 'live', linesMax: 4 },
  result: { mark: '  ', tone: 'dim', linesMax: 4 },
  longhaul: { mark: '— ', tone: 'dim', linesMax: 4 },
}

function transcriptRows({ who, text }: TranscriptLine, columns: number): readonly ScreenLine[] {
  const { mark, tone, linesMax } = LOOKS[who]
  const lines = wrap(text, Math.max(8, columns - mark.length))
  const more = lines.length > linesMax ? ' …' : ''
  return lines.slice(0, linesMax).map((part, index) => {
    const end = index === linesMax - 1 ? more : ''
    return [span(`${index === 0 ? mark : ' '.repeat(mark.length)}${part}${end}`, tone)]
  })
}
