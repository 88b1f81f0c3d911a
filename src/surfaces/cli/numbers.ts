import { InvalidArgumentError } from 'commander'

/** Reads a whole number from the command line. */
export function wholeNumber(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Reads how many may go on at once. */
export function parallelNumber(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > PARALLEL_MAX) throw new InvalidArgumentError(`It must be from 1 to ${PARALLEL_MAX}.`)
  return number
}

const PARALLEL_MAX = 32
