import type { SandboxLevel } from './settings.ts'

/** Level of the sandbox that is in force, or the reason why there is none. */
export type Protection =
  | { readonly kind: 'sandbox'; readonly level: SandboxLevel }
  | { readonly kind: 'none'; readonly why: string }

/** True when programs have a network and a file system of their own. */
export function isShutIn(protection: Protection): boolean {
  return protection.kind === 'sandbox' && protection.level !== 'trusted'
}
