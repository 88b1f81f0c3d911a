import { mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readPlainFile } from '../../../files/read-plain-file.ts'
import { replaceFile } from '../../../files/replace-file.ts'
import type { Clock } from '../../../ports/clock.ts'
import {
  copyFor,
  newestTokens,
  parseSignIn,
  type SignInTokens,
  type StoredSignIn,
  withTokens,
} from './sign-in-tokens.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Returns the user's credentials file of Claude Code, or null without a home folder. */
export function credentialsFile({ CLAUDE_CONFIG_DIR: config, HOME: home }: Variables): string | null {
  if (config) return join(config, CREDENTIALS)
  return home ? join(home, '.claude', CREDENTIALS) : null
}

const CREDENTIALS = '.credentials.json'

/** Copy of the user's sign-in that an agent has for one round. */
export interface LentSignIn {
  /** Tokens that must not appear in transcripts. */
  readonly secrets: ReadonlySet<string>
  /** Takes renewed tokens back and removes the copy. */
  end(): void
}

/**
 * Lends the user's sign-in to agents, each with a copy in a folder of its own.
 *
 * An agent that renews its tokens makes all others useless. So new tokens go from its copy into the user's file, and from
 * there to the other agents, also those of other engines.
 */
export class SignIns {
  readonly #clock: Pick<Clock, 'now'>
  readonly #loans = new Set<Loan>()
  #looking: NodeJS.Timeout | null = null

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Puts a copy of the user's sign-in into an agent's folder. */
  lend(file: string, folder: string): LentSignIn {
    const places = this.#loansOf(file).map(({ place }) => place)
    const place = [...places.keys()].find((free) => !places.includes(free)) ?? places.length
    const loan: Loan = { file, copy: join(folder, CREDENTIALS), place, given: null, secrets: new Set() }
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#loans.add(loan)
    // First takes what the agent of a killed engine renewed.
    this.#look(file)
    remove(loan.copy)
    this.#look(file)
    this.#looking ??= setInterval(() => this.#lookAtAll(), LOOK_MS).unref()
    return { secrets: loan.secrets, end: () => this.#end(loan) }
  }

  #end(loan: Loan): void {
    const isSettled = this.#look(loan.file)
    this.#loans.delete(loan)
    // Renewed tokens that could not be written stay for the next round.
    if (isSettled) remove(loan.copy)
    if (this.#loans.size > 0 || this.#looking === null) return
    clearInterval(this.#looking)
    this.#looking = null
  }

  #lookAtAll(): void {
    for (const file of new Set([...this.#loans].map((loan) => loan.file))) this.#look(file)
  }

  /** Brings the user's file and all copies of it up to date; false when the user's file could not be written. */
  #look(file: string): boolean {
    const users = readUsers(file)
    // A user who signed out stays signed out.
    if (users === null) return true
    const copies = this.#loansOf(file).map((loan) => ({
      loan,
      stored: parseSignIn(readPlainFile(loan.copy, COPY_BYTES_MAX)),
    }))
    const changed = copies.flatMap(({ loan, stored }) =>
      stored === null || stored.tokens.accessToken === loan.given ? [] : [stored],
    )
    const tokens = newestTokens(users.signIn, changed, this.#clock.now())
    if (tokens !== users.signIn.tokens && !writeBack(users, tokens)) return false
    const newest = { ...users.signIn, tokens }
    for (const { loan, stored } of copies) {
      remember(loan.secrets, tokens)
      if (isBehind(stored, loan, tokens)) give(loan, newest)
    }
    return true
  }

  #loansOf(file: string): readonly Loan[] {
    return [...this.#loans].filter((loan) => loan.file === file)
  }
}

// Renewing takes a request, and the next agent begins a minute later.
const LOOK_MS = 3_000

interface Loan {
  /** The user's file. */
  readonly file: string
  readonly copy: string
  /** Place among the agents with the same sign-in. */
  readonly place: number
  /** Access token that was last written into the copy. */
  given: string | null
  readonly secrets: Set<string>
}

interface UsersFile {
  /** Path without links, which may be the user's own. */
  readonly path: string
  readonly text: string
  readonly signIn: StoredSignIn
}

function readUsers(file: string): UsersFile | null {
  try {
    const path = realpathSync(file)
    const text = readFileSync(path, 'utf8')
    const signIn = parseSignIn(text)
    return signIn === null ? null : { path, text, signIn }
  } catch {
    return null // not signed in with a file
  }
}

const COPY_BYTES_MAX = 64 * 1024

/** Writes renewed tokens into the user's file; false when it changed meanwhile or cannot be written. */
function writeBack({ path, text }: UsersFile, tokens: SignInTokens): boolean {
  try {
    if (readFileSync(path, 'utf8') !== text) return false
    replaceFile(path, withTokens(text, tokens))
    return true
  } catch {
    return false // tried again at the next look
  }
}

/** True when a copy lacks the newest tokens; one that the agent changed to something newer is its own affair. */
function isBehind(stored: StoredSignIn | null, { given }: Loan, newest: SignInTokens): boolean {
  if (stored === null) return true
  const { accessToken, expiresAt } = stored.tokens
  return accessToken !== newest.accessToken && (accessToken === given || expiresAt <= newest.expiresAt)
}

function give(loan: Loan, signIn: StoredSignIn): void {
  try {
    replaceFile(loan.copy, copyFor(signIn, loan.place))
    loan.given = signIn.tokens.accessToken
  } catch {
    // The agent has put something else there, or the disk is full: it finds out that it is not signed in.
  }
}

function remember(secrets: Set<string>, { accessToken, refreshToken }: SignInTokens): void {
  for (const secret of [accessToken, refreshToken]) secrets.add(secret)
  for (const oldest of [...secrets].slice(0, -SECRETS_MAX)) secrets.delete(oldest)
}

// Tokens are renewed a few times a day; an agent that makes them up has no secrets.
const SECRETS_MAX = 32

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // A folder that the agent has closed off; it goes with the workspace.
  }
}
