import { createHash } from 'node:crypto'
import type { AttemptId, Commit, LandingId } from '../core/model/ids.ts'

/** Escapes a name as one part of a ref and of a path; most names stay unchanged, and the result is unique. */
export function safeName(name: string): string {
  const safe = [...Buffer.from(name)].map((_, at, bytes) => safeByte(bytes, at)).join('') || '+'
  if (safe.length <= LENGTH_MAX) return safe
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LENGTH)
  return `${safe.slice(0, LENGTH_MAX - DIGEST_LENGTH).replace(/[+.].{0,2}$/, '')}+h${digest}`
}

/** Reverses `safeName`. */
export function plainName(safe: string): string {
  if (safe === '+') return ''
  const bytes = safe.replaceAll(/\+([0-9a-f]{2})|./g, (all, hex) => hex ?? Buffer.from(all).toString('hex'))
  return Buffer.from(bytes, 'hex').toString()
}

/** Returns the branch of an attempt. */
export function branchOf(attempt: AttemptId): string {
  return `longhaul/${safeName(attempt)}`
}

/** All refs that Longhaul has in a repository. */
export const refs = {
  branch: (attempt: AttemptId) => `refs/heads/${branchOf(attempt)}`,
  /** Keeps an attempt's base when the line is moved elsewhere. */
  base: (attempt: AttemptId) => `refs/longhaul/base/${safeName(attempt)}`,
  /** Latest checkpoint of an attempt; unlike the branch, no person moves it. */
  attempt: (attempt: AttemptId) => `refs/longhaul/attempt/${safeName(attempt)}`,
  /** Work that was saved outside of checkpoints; `part` names a nested repository or a ref of the workspace. */
  salvage: (attempt: AttemptId, part?: string) =>
    `refs/longhaul/salvage/${safeName(attempt)}${part === undefined ? '' : `++${safeName(part)}`}`,
  candidate: (landing: LandingId) => `refs/longhaul/candidate/${safeName(landing)}`,
  line: (target: string) => `refs/longhaul/landed/${target}`,
  /** Commit of the target when it last contained the whole line. */
  seen: (target: string) => `refs/longhaul/seen/${target}`,
  /** Landing whose changes of settings a person has approved. */
  approved: (commit: Commit) => `refs/longhaul/approved/${commit}`,
  head: (branch: string) => `refs/heads/${branch}`,
} as const

/** Prefixes of refs that contain attempt names. */
export const ATTEMPT_REF_PREFIXES = [
  'refs/heads/longhaul/',
  'refs/longhaul/attempt/',
  'refs/longhaul/salvage/',
] as const

const LENGTH_MAX = 160
const DIGEST_LENGTH = 16
const HARMLESS = /[A-Za-z0-9._-]/

function safeByte(bytes: readonly number[], at: number): string {
  const char = String.fromCharCode(bytes[at] ?? 0)
  return HARMLESS.test(char) && !isRisky(bytes, at, char)
    ? char
    : `+${char.charCodeAt(0).toString(16).padStart(2, '0')}`
}

function isRisky(bytes: readonly number[], at: number, char: string): boolean {
  if (at === 0 && (char === '.' || char === '-')) return true
  if (char !== '.') return false
  const rest = String.fromCharCode(...bytes.slice(at))
  return bytes[at - 1] === DOT || rest === '.' || rest === '.lock'
}

const DOT = 0x2e
