/** Longest title of a task or milestone, in characters. */
export const TITLE_MAX = 200
const SUBJECT_MAX = 100

/** Returns what a title must be instead, or null when it is fine; line breaks count as spaces. */
export function titleFault(title: string): string | null {
  const text = oneLineTitle(title)
  if (text === '') return 'text that is not empty'
  if (CONTROL.test(text)) return 'text without control characters'
  return text.length > TITLE_MAX ? `text of at most ${TITLE_MAX} characters` : null
}

/** Returns a title on one line. */
export function oneLineTitle(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim()
}

/** Returns the subject of a task's commits; a long title is cut, because many programs show one line. */
export function commitSubject({ id, title }: { readonly id: string; readonly title: string }): string {
  const subject = `${id}: ${oneLineTitle(title.replaceAll(new RegExp(CONTROL, 'gu'), ' '))}`
  return subject.length <= SUBJECT_MAX ? subject : `${subject.slice(0, SUBJECT_MAX - 1)}…`
}

// Control characters, and those that change the direction of text.
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
