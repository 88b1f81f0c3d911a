import { z } from 'zod'

/** Tokens of a sign-in. */
export interface SignInTokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresAt: number
  readonly refreshTokenExpiresAt?: number | undefined
}

/** Sign-in as Claude Code stores it: tokens, and what it knows about the account. */
export interface StoredSignIn {
  readonly tokens: SignInTokens
  /** Fields of the sign-in besides the tokens. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Reads the text of a credentials file; null when it has no sign-in of the known shape. */
export function parseSignIn(text: string | null): StoredSignIn | null {
  const stored = storedFile.safeParse(parseJson(text))
  if (!stored.success) return null
  const { accessToken, refreshToken, expiresAt, refreshTokenExpiresAt, ...about } = stored.data.claudeAiOauth
  return { tokens: { accessToken, refreshToken, expiresAt, refreshTokenExpiresAt }, about }
}

/** True when an agent's copy holds tokens that replace the user's: newer ones of the same account. @internal */
export function isRenewal(users: StoredSignIn, copy: StoredSignIn, now: number): boolean {
  const { accessToken, expiresAt } = copy.tokens
  if (accessToken === users.tokens.accessToken || expiresAt <= users.tokens.expiresAt) return false
  return expiresAt <= now + EXPIRY_MS_MAX && ACCOUNT.every((field) => agrees(users.about[field], copy.about[field]))
}

/** Returns the newest tokens: those of the user, or of the copy that was renewed last. */
export function newestTokens(users: StoredSignIn, copies: readonly StoredSignIn[], now: number): SignInTokens {
  const renewed = copies.filter((copy) => isRenewal(users, copy, now)).map(({ tokens }) => tokens)
  return renewed.reduce((newest, tokens) => (tokens.expiresAt > newest.expiresAt ? tokens : newest), users.tokens)
}

/** Returns the text of a credentials file with other tokens; all else in it stays. */
export function withTokens(text: string, tokens: SignInTokens): string {
  const { claudeAiOauth, ...rest } = anyFile.parse(parseJson(text))
  return JSON.stringify({ ...rest, claudeAiOauth: { ...claudeAiOauth, ...tokens } })
}

/**
 * Returns the text of an agent's copy: the sign-in alone, without tokens of MCP servers.
 *
 * Claude Code renews tokens in the last five minutes, and each refresh token works once. Each further agent starts a minute
 * later, so that the first one's new tokens reach the others in time.
 */
export function copyFor({ tokens, about }: StoredSignIn, place: number): string {
  const expiresAt = tokens.expiresAt + Math.min(place, PLACES_MAX) * MINUTE_MS
  return JSON.stringify({ claudeAiOauth: { ...about, ...tokens, expiresAt } })
}

const MINUTE_MS = 60_000
// The tokens are still valid when the last agent begins to renew them.
const PLACES_MAX = 4
// Tokens last for hours. Those that seem to last for years would win against every later sign-in of the user.
const EXPIRY_MS_MAX = 30 * 24 * 60 * MINUTE_MS

// Fields that name the account; most versions of Claude Code store none of them.
const ACCOUNT = ['accountUuid', 'organizationUuid', 'clientId']

function agrees(users: unknown, copys: unknown): boolean {
  return users === undefined || copys === undefined || users === copys
}

const token = z.string().regex(/^[\x21-\x7e]{1,4096}$/)
const time = z.number().int().positive()
const storedFile = z.object({
  claudeAiOauth: z.looseObject({
    accessToken: token,
    refreshToken: token,
    expiresAt: time,
    refreshTokenExpiresAt: time.optional(),
  }),
})
const anyFile = z.looseObject({ claudeAiOauth: z.looseObject({}) })

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null // cut short, or not JSON at all
  }
}
