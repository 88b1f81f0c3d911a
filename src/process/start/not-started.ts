/** A program that did not start, and why. */
export interface NotStarted {
  readonly kind: 'not-started'
  readonly message: string
}

/** Says why a program did not start. */
export function notStarted(message: string): NotStarted {
  return { kind: 'not-started', message }
}
