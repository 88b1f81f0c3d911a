import type { LiveModel } from '../../../core/views/live/live-model.ts'
import { wrap } from '../render/columns.ts'
import { type ScreenLine, span } from './spans.ts'

/** Place of the view: in the engine's own process, or in another one that follows it. */
export type Seat = 'run' | 'watch'

/** Renders the help page: keys and figures. */
export function helpPage(seat: Seat, { estimate }: LiveModel, columns: number): readonly ScreenLine[] {
  const key = (name: string, does: string): readonly ScreenLine[] =>
    wrap(does, Math.max(10, columns - KEY_WIDTH - 2)).map((part, index) => [
      span(`  ${(index === 0 ? name : '').padEnd(KEY_WIDTH)}`, 'strong'),
      span(part),
    ])
  const paragraph = (text: string): readonly ScreenLine[] => wrap(text, columns - 2).map((part) => [span(`  ${part}`)])
  const why = estimate.kind === 'none' ? 'no task is left that needs no person' : estimate.why
  return [
    [span('Keys', 'strong')],
    ...KEYS.flatMap(([name, does]) => key(name, does)),
    ...LEAVING[seat].flatMap(([name, does]) => key(name, does)),
    [],
    [span('Figures', 'strong')],
    ...paragraph(
      'for: how long the current activity has lasted. context: how full the session is, relative to the window or context.cap, whichever is smaller; ↻2: handed off twice. turns: model calls in this round, and their limit. USD: cost of the attempt.',
    ),
    ...paragraph(
      `Time left is a range that would hold for four of five runs, estimated from the finished tasks of this run, without waits: ${why}. Tasks that need a person, have failed or are blocked are not included.`,
    ),
    [],
    ...paragraph('If a kill -9 leaves the terminal garbled, "reset" fixes it.'),
  ]
}

const KEY_WIDTH = 14

type KeyHelp = readonly [name: string, does: string]

const KEYS: readonly KeyHelp[] = [
  ['↑ ↓ PgUp PgDn', 'choose a task, or scroll a page; also j, k, Home and End'],
  ['Enter', "open the chosen task's page"],
  ['t', 'follow its transcript: what its agent says and does'],
  ['s', 'send its agent a message, or answer its question: type a line; Enter sends it, Esc discards it'],
  ['p', 'pause the run: nothing new starts; press again to resume'],
  ['a', 'approve it if it is waiting for approval; retry it if it has failed or needs a person'],
  ['x', 'reject it if it is waiting for approval: type what has to change'],
  ['Esc', 'go back to the list; in the list: clear the choice'],
]

const LEAVING: Readonly<Record<Seat, readonly KeyHelp[]>> = {
  run: [
    ['q', 'close this view; the run continues, printed line by line'],
    [
      'Ctrl-C',
      'once: rounds finish, nothing new starts; twice: rounds are stopped and their work is saved; three times: exit immediately',
    ],
    [
      'Ctrl-Z',
      'suspend this program until "fg"; agents keep running unsupervised, so consider pausing the run instead',
    ],
  ],
  watch: [
    ['q, Ctrl-C', 'leave; the run is not affected'],
    ['Ctrl-Z', 'suspend this view until "fg"'],
  ],
}
