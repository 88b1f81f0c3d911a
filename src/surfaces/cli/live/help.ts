import type { LiveModel } from '../../../core/views/live/live-model.ts'
import { wrap } from '../render/columns.ts'
import { type ScreenLine, span } from './spans.ts'

/** Whether the view belongs to the engine itself, or follows one from another process. */
export type Seat = 'run' | 'watch'

/** What the keys do, and what the figures mean. */
export function helpPage(seat: Seat, { estimate }: LiveModel, columns: number): readonly ScreenLine[] {
  const key = (name: string, does: string): readonly ScreenLine[] =>
    wrap(does, Math.max(10, columns - KEY_WIDTH - 2)).map((part, index) => [
      span(`  ${(index === 0 ? name : '').padEnd(KEY_WIDTH)}`, 'strong'),
      span(part),
    ])
  const text = (told: string): readonly ScreenLine[] => wrap(told, columns - 2).map((part) => [span(`  ${part}`)])
  const why = estimate.kind === 'none' ? 'nothing is left that goes on by itself' : estimate.why
  return [
    [span('Keys', 'strong')],
    ...KEYS.flatMap(([name, does]) => key(name, does)),
    ...LEAVING[seat].flatMap(([name, does]) => key(name, does)),
    [],
    [span('Figures', 'strong')],
    ...text(
      'for: how long what it does now has been going on. context: how full the session is, of the window or context.cap, whichever is smaller; ↻2: handed over twice. turns: model calls of this round, of how many. USD: what the attempt has spent.',
    ),
    ...text(
      `Time left is a range into which four of five such runs would fall, worked out from this run's own finished tasks, without waits: ${why}. Tasks that need a person, have failed or are blocked are not in it.`,
    ),
    [],
    ...text('Should a kill -9 leave the terminal odd, "reset" mends it.'),
  ]
}

const KEY_WIDTH = 14

type KeyHelp = readonly [name: string, does: string]

const KEYS: readonly KeyHelp[] = [
  ['↑ ↓ PgUp PgDn', 'choose a task, or scroll a page; j and k too, Home and End'],
  ['Enter', "open the chosen task's page"],
  ['t', 'follow what its agent says and does'],
  ['s', 'tell its agent something, or answer it: type a line, Enter sends it, Esc drops it'],
  ['p', 'pause the run: nothing new starts; again: it goes on'],
  ['a', 'approve it, where it asks for that; else try it again, where it has failed or needs a person'],
  ['x', 'reject it, where it asks for approval: type what has to change'],
  ['Esc', 'back to the list; in the list: choose nothing'],
]

const LEAVING: Readonly<Record<Seat, readonly KeyHelp[]>> = {
  run: [
    ['q', 'close this view; the run goes on, and is told line by line'],
    [
      'Ctrl-C',
      'once: rounds may finish, nothing new starts; again: rounds are stopped and their work is saved; a third time: everything ends at once',
    ],
    ['Ctrl-Z', 'stop this program until "fg"; agents go on unheard, so pause the run instead where that matters'],
  ],
  watch: [
    ['q, Ctrl-C', 'leave; the run is not touched'],
    ['Ctrl-Z', 'stop this view until "fg"'],
  ],
}
