import type { FileChange } from '../../../core/model/file-change.ts'
import { findingText } from '../../../core/model/verdict.ts'
import type { Dossier, RepeatedFinding } from '../../../core/views/dossier/dossier.ts'
import type { DossierAttempt, DossierRound } from '../../../core/views/dossier/dossier-attempts.ts'
import { counted, oneLine, short } from '../../../core/views/line-parts.ts'
import type { Output } from '../output.ts'
import { cut, hanging, indented, left, widthOf, wrap } from './columns.ts'
import { receiptLines, setupOutput } from './render-attempt.ts'
import { stateName } from './render-status.ts'
import { spentText } from './spending.ts'

type Look = Pick<Output, 'colors' | 'width'>

/** Renders a dossier for people, on one page. */
export function renderDossier(dossier: Dossier, look: Look): readonly string[] {
  const { colors, width } = look
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', colors.bold(title), ...lines]
  const { id, title, state, reason, attempts, receipts } = dossier
  return [
    ...wrap(`${id}: ${title}`, width).map(colors.bold),
    ...wrap(reason === null ? stateName(state) : `${stateName(state)}: ${reason}`, width).map(colors.yellow),
    ...section('Task', taskLines(dossier, width)),
    ...section('Tried', [...beforeLines(dossier), ...attempts.flatMap((attempt) => attemptLines(attempt, look))]),
    ...section('Findings that recur or are open', findingLines(dossier, look)),
    ...section(
      'Receipts',
      receipts.flatMap((receipt) => receiptLines(receipt, 'short', '')).flatMap((line) => indented(line, 2, width)),
    ),
    ...section('The work', workLines(dossier, width)),
    ...section('You can', commandLines(dossier, width)),
  ]
}

const BRIEF_LINES_MAX = 8

function taskLines({ id, brief, acceptance, verify }: Dossier, width: number | null): readonly string[] {
  const lines = [
    ...(brief === '' ? [] : brief.split('\n')).filter((line) => line.trim() !== ''),
    ...acceptance.map((text) => `- ${text}`),
    ...verify.map((command) => `- must pass: ${command}`),
  ].flatMap((line) => indented(line, 2, width))
  const more = lines.length - BRIEF_LINES_MAX
  return more <= 1
    ? lines
    : [...lines.slice(0, BRIEF_LINES_MAX), `  … ${counted(more, 'more line')}: longhaul show ${id}`]
}

function beforeLines({ id, attemptsBefore }: Dossier): readonly string[] {
  return attemptsBefore === 0 ? [] : [`  … ${counted(attemptsBefore, 'attempt')} before these: longhaul show ${id}`]
}

function attemptLines(
  { id, outcome, reason, rounds, roundsBefore, spent }: DossierAttempt,
  look: Look,
): readonly string[] {
  const how = outcome ?? (reason === null ? 'running' : 'waiting')
  const money = spent.usd === null ? '' : `, ${spent.usd.toFixed(2)} USD`
  const why = reason === null ? '' : `: ${oneLine(reason)}`
  return [
    ...indented(`${id}: ${how} after ${counted(rounds.length + roundsBefore, 'round')}${money}${why}`, 2, look.width),
    ...(roundsBefore === 0 ? [] : [`    … ${counted(roundsBefore, 'round')} before these`]),
    ...rounds.flatMap((round) => roundLines(round, look)),
  ]
}

/** Renders a round: its order and changes on one line, the findings after it on the next. */
function roundLines(
  { round, phase, asked, ended, span, changed, found, isAgain }: DossierRound,
  look: Look,
): readonly string[] {
  const { colors, width } = look
  const did = span === null ? '' : `; ${changedText(changed, span.from === span.to)}`
  const line = `    ${round} ${phase}, ${asked}: ${ended ?? 'running'}${did}`
  if (found === null) return [cut(line, width)]
  const again = isAgain ? 'again, ' : ''
  return [cut(line, width), colors.red(cut(`      found: ${again}${found}`, width))]
}

const FILES_MAX = 3

function changedText(files: readonly FileChange[] | null, isSame: boolean): string {
  if (isSame || files?.length === 0) return 'changed nothing'
  if (files === null) return 'its commit no longer exists'
  const sum = (which: 'added' | 'removed') => files.reduce((count, file) => count + (file[which] ?? 0), 0)
  const names = files.slice(0, FILES_MAX).map(({ path }) => path)
  const more = files.length > names.length ? ', …' : ''
  return `changed ${counted(files.length, 'file')} (+${sum('added')} −${sum('removed')}): ${names.join(', ')}${more}`
}

function findingLines({ findings, findingsMore }: Dossier, look: Look): readonly string[] {
  const more = findingsMore === 0 ? [] : [`  … and ${findingsMore} more`]
  return [...findings.flatMap((one) => findingLine(one, look)), ...more]
}

function findingLine({ finding, places, isOpen }: RepeatedFinding, { colors, width }: Look): readonly string[] {
  const times = `  ${String(places.length).padStart(2)}×  `
  const open = isOpen ? '' : ' (not in the last round)'
  const text = `${finding.source}: ${oneLine(findingText(finding))}${open}`
  return [
    ...hanging(times, text, width).map(isOpen ? colors.red : (line) => line),
    ...setupOutput([finding]).flatMap((line) => indented(line, widthOf(times) + 2, width).map(colors.dim)),
    colors.dim(cut(`${' '.repeat(widthOf(times))}${places.join(', ')}`, width)),
  ]
}

function workLines({ id, attempts, spent }: Dossier, width: number | null): readonly string[] {
  const last = attempts.findLast(({ commit }) => commit !== null)
  const saved = last?.commit ?? null
  const where = [
    ...(last === undefined || saved === null
      ? []
      : [`${last.branch} at ${short(saved)}; "longhaul diff ${id}" shows it`]),
    ...attempts.flatMap((one) => one.salvage.map((ref) => `uncommitted work of ${one.id}: ${ref}`)),
  ]
  return [...(where.length === 0 ? ['nothing has been changed yet'] : where), spentText(spent)].flatMap((line) =>
    indented(line, 2, width),
  )
}

function commandLines({ commands, isDriven, state }: Dossier, width: number | null): readonly string[] {
  if (commands.length === 0) return ['  nothing is left to do']
  const column = Math.max(...commands.map(({ command }) => widthOf(command)))
  const then = isDriven || state === 'done' ? [] : ['  then continue with "longhaul run"']
  return [...commands.flatMap(({ command, does }) => hanging(`  ${left(command, column)}  `, does, width)), ...then]
}
