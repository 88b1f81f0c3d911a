import type { Protection } from '../model/protection.ts'

/** Describes in one line what agents, checks and setup commands can reach. */
export function protectionText(protection: Protection): string {
  if (protection.kind === 'none')
    return `NOT SANDBOXED: agents and checks run as you, with your files and your network, because ${protection.why}.`
  return `Sandbox: ${protection.level}. ${MEANINGS[protection.level]}`
}

const MEANINGS = {
  trusted: 'NOT SANDBOXED apart from processes: agents and checks run as you, with your files and your network.',
  standard:
    'Agents and checks see their own workspace and the system, not your home, and reach the allowed hosts only.',
  strict: 'Agents and checks see their own workspace and installed programs, and reach the model only.',
} as const
