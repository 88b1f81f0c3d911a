import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EVENT_KINDS } from '../../src/core/model/event-kinds.ts'
import type { LedgerId } from '../../src/core/model/ids.ts'
import { eventLine } from '../../src/core/views/event-line.ts'
import { levelOf } from '../../src/core/views/line-parts.ts'
import { root } from '../architecture/source.ts'
import { ATTEMPT_EVENTS, RUN_EVENTS } from '../given/every-event.ts'

test('docs/facts.md has every kind of fact, its level and a sentence', async () => {
  await expect(factsPage()).toMatchFileSnapshot('../../docs/facts.md')
})

test('the guide to the log names facts that there are', () => {
  const guide = readFileSync(join(root, 'docs/guides/log.md'), 'utf8')
  const rows = guide.slice(guide.indexOf('| log point')).split('\n').slice(2).filter(Boolean)
  expect(rows.length).toBeGreaterThanOrEqual(43)
  const facts = rows
    .map((row) => row.split('|')[2] ?? '')
    .flatMap((cell) => cell.match(/(?<!\()`[a-z]+-[a-z-]+`/g) ?? [])
  const inBrackets = new Set(['`fresh-session`', '`context-exhausted`', '`max-turns`'])
  const unknown = facts.map((fact) => fact.slice(1, -1)).filter((fact) => !EVENT_KINDS.includes(fact))
  expect(unknown.filter((fact) => !inBrackets.has(`\`${fact}\``))).toEqual([])
})

function factsPage(): string {
  return `${[INTRODUCTION, section('Facts of a run', 'run/r1', RUN_EVENTS), section('Facts of an attempt', 'attempt/t1-a1', ATTEMPT_EVENTS)].join('\n\n')}\n`
}

function section(title: string, ledger: string, events: Readonly<Record<string, { readonly kind: string }>>): string {
  const rows = Object.values(events).map((event) => {
    const line = eventLine(ledger as LedgerId, event, () => '12:00:00')
    return `| \`${event.kind}\` | ${levelOf(line)} | ${line.text.replaceAll('|', '\\|')} |`
  })
  return [`## ${title}`, '', '| kind | level | for example |', '|---|---|---|', ...rows].join('\n')
}

const INTRODUCTION = `# Facts

Every kind of fact that a ledger may hold, with an example of how \`longhaul log\` tells it. Some are told with another level
when they bring worse news than here. [The log](guides/log.md) says how to choose among them.

This page is made by \`npm run golden\`.`
