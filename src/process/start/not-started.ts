/** Reason why a program did not start. */
export interface NotStarted {
  readonly kind: 'not-started'
  readonly message: string
}

/** Builds the result of a program that did not start. */
export function notStarted(message: string): NotStarted {
  return { kind: 'not-started', message }
}
