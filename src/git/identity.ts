import { type Problem, problem } from '../core/model/problem.ts'
import type { Setting } from './settings.ts'

/** Author and committer of our commits. */
export interface Identity {
  readonly author: Person
  readonly committer: Person
}

export interface Person {
  readonly name: string
  readonly email: string
}

/** Returns the user's identity as git would, except that it never falls back to the machine's name. */
export function identityFrom(
  settings: readonly Setting[],
  environment: Readonly<Record<string, string>>,
): Identity | Problem {
  const author = person('author', settings, environment)
  const committer = person('committer', settings, environment)
  return author !== null && committer !== null ? { author, committer } : noIdentity
}

/** Returns the text of a git configuration with a user's name and address. */
export function identityConfig({ author: { name, email } }: Identity): string {
  return `[user]\n\tname = ${quoted(name)}\n\temail = ${quoted(email)}\n`
}

function quoted(value: string): string {
  return `"${value.replaceAll(/[\r\n\0]/g, ' ').replaceAll(/["\\]/g, '\\$&')}"`
}

const noIdentity = problem({
  code: 'no-identity',
  message: 'Git does not know who you are, so no commit can be made.',
  hint: 'Run: git config --global user.name "Your Name" && git config --global user.email you@example.org',
  retry: 'person',
})

function person(
  role: 'author' | 'committer',
  settings: readonly Setting[],
  environment: Readonly<Record<string, string>>,
): Person | null {
  const find = (part: 'name' | 'email') =>
    environment[`GIT_${role}_${part}`.toUpperCase()] ||
    lastOf(settings, `${role}.${part}`) ||
    lastOf(settings, `user.${part}`)
  const [name, email] = [find('name'), find('email')]
  return name && email ? { name, email } : null
}

function lastOf(settings: readonly Setting[], key: string): string | null | undefined {
  return settings.findLast((setting) => setting.key === key)?.value
}
