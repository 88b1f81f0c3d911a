import type { TestOutputRead } from '../../../src/core/test-output/test-output-read.ts'
import type { TrueFailure, Truth } from './truth.ts'

/** Parts of an output that a runner does not print in a reporter, so that they cannot be compared. */
export interface Unprinted {
  /** Passing packages are counted instead of tests. */
  readonly counts?: true
  readonly places?: true
  readonly lines?: true
  readonly messages?: true
}

/** Returns the differences between what we read and what the runner itself says; none when all is well. */
export function differences(read: TestOutputRead, truth: Truth, unprinted: Unprinted = {}): readonly string[] {
  const { tests, failures, names } = read
  if (tests === null) return ['no tests were found']
  const counts = `${tests.passed}/${tests.failed}/${tests.skipped}`
  const wanted = `${truth.passed.length}/${truth.failed.length}/${truth.skipped.length}`
  const isCounted = unprinted.counts ? tests.failed === truth.failed.length : counts === wanted
  return [
    ...(isCounted ? [] : [`counts ${counts} instead of ${wanted}`]),
    ...truth.failed.flatMap((failure) => failureDifferences(failures, failure, unprinted)),
    ...(failures.length === truth.failed.length
      ? []
      : [`${failures.length} failures instead of ${truth.failed.length}`]),
    ...nameDifferences('passed', names.passed, truth.passed),
    ...nameDifferences('skipped', names.skipped, truth.skipped),
  ]
}

function failureDifferences(
  failures: TestOutputRead['failures'],
  truth: TrueFailure,
  { places, lines, messages }: Unprinted,
): readonly string[] {
  const name = truth.titles.join(' > ') || (truth.file ?? '')
  const named = failures.filter(
    (one) => isNamed(one.name, truth) && (places || truth.file === null || one.file === truth.file),
  )
  // A name may occur more than once, with different messages.
  const same = named.find(({ message }) => isMessage(message, truth.message)) ?? named[0]
  if (same === undefined) return [`failure ${name} in ${truth.file} is missing`]
  return [
    ...(places || lines || truth.line === null || same.line === truth.line
      ? []
      : [`${name}: line ${same.line} instead of ${truth.line}`]),
    ...(messages || isMessage(same.message, truth.message)
      ? []
      : [`${name}: "${same.message}" instead of "${truth.message}"`]),
  ]
}

function isNamed(name: string, { titles, file }: TrueFailure): boolean {
  if (titles.length === 0) return name === file || name === 'Test suite failed to run'
  const [plain, whole] = [normal(name), normal(titles.join(' '))]
  return (
    plain === whole ||
    plain === normal(titles.at(-1) ?? '') ||
    whole.endsWith(` ${plain}`) ||
    plain.endsWith(` ${whole}`)
  )
}

// Runners print ">", "›", "::", "." or nothing between titles.
function normal(text: string): string {
  return text.replaceAll(/ ?(?: [>›] |::|\.) ?/g, ' ').replaceAll(/\s+/g, ' ')
}

/** Compares the beginning of the first line, without the class of the error. */
function isMessage(message: string, truth: string): boolean {
  const wanted = start(truth)
  if (message.endsWith('...')) return start(truth).startsWith(start(message.slice(0, -3)))
  return (
    wanted === '' ||
    message.replaceAll(/\s+/g, ' ').includes(wanted) ||
    wanted.includes(start(message).slice(0, START) || '\0')
  )
}

function start(text: string): string {
  const first =
    text
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !line.startsWith('●')) ?? ''
  return first
    .replace(/^(?:\w*Error(?: \[\w+\])?|failed on setup with "\w+): /, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, START)
}

const START = 30

/** Compares lists of names where a reporter prints them all. */
function nameDifferences(
  what: string,
  names: readonly string[],
  truth: readonly (readonly string[])[],
): readonly string[] {
  if (names.length === 0) return []
  const leaves = (list: readonly string[]) => list.map((name) => normal(name)).toSorted()
  const ours = leaves(names)
  const missing = truth.filter((titles) => {
    const [whole, leaf] = [normal(titles.join(' ')), normal(titles.at(-1) ?? '')]
    const at = ours.findIndex(
      (name) => name === whole || name === leaf || name.endsWith(` ${leaf}`) || whole.endsWith(` ${name}`),
    )
    if (at >= 0) ours.splice(at, 1)
    return at < 0
  })
  const isWhole = names.length >= truth.length
  return [
    ...(isWhole ? missing : []).map((titles) => `${what} ${titles.join(' > ')} is missing`),
    ...ours.map((name) => `${name} is not among ${what}`),
  ]
}
