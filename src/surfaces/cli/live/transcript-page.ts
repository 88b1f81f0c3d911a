import type { AttemptId } from '../../../core/model/ids.ts'
import { type TranscriptLine, transcriptLines } from '../../../core/views/transcript-line.ts'
import type { TranscriptTail } from '../../../ports/transcripts.ts'
import { wrap } from '../columns.ts'
import { type Line, span, type Tone } from './spans.ts'

/** The end of what the agent of a task said. */
export function transcriptPage(
  attempt: AttemptId | null,
  tail: TranscriptTail | null,
  columns: number,
): readonly Line[] {
  if (attempt === null || tail === null) return [[span('No agent has said anything about this task yet.', 'dim')]]
  const before = tail.isCut ? ', its end' : ''
  const head: Line = [span(`${attempt}, round ${tail.round}${before}`, 'strong')]
  const body = tail.lines.flatMap(transcriptLines).flatMap((line) => spoken(line, columns))
  return [head, ...(body.length === 0 ? [[span('Nothing yet in this round.', 'dim')]] : body)]
}

const MARKS: Readonly<Record<TranscriptLine['who'], { readonly mark: string; readonly tone: Tone }>> = {
  agent: { mark: '  ', tone: 'plain' },
  tool: { mark: '> ', tone: 'live' },
  longhaul: { mark: '— ', tone: 'dim' },
}

function spoken({ who, text }: TranscriptLine, columns: number): readonly Line[] {
  const { mark, tone } = MARKS[who]
  const shown = wrap(text, Math.max(8, columns - 2)).slice(0, SPOKEN_LINES_MAX)
  return shown.map((part, index) => [span(`${index === 0 ? mark : '  '}${part}`, tone)])
}

const SPOKEN_LINES_MAX = 12
