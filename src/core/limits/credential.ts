import type { AgentSettings } from '../model/settings.ts'

/** Returns the credential that usage limits belong to: the driver, with a digest of sign-in settings where there are any. */
export function credentialOf({ driver, env }: Pick<AgentSettings, 'driver' | 'env'>): string {
  const entries = Object.entries(env).filter(([name]) => SIGN_IN.test(name))
  if (entries.length === 0) return driver
  const assignments = entries.map((entry) => entry.join('=')).sort()
  return `${driver} (${digestOf(assignments.join('\n'))})`
}

const SIGN_IN = /KEY|TOKEN|SECRET|AUTH|CREDENTIAL|PROFILE|ACCOUNT|PROJECT|BASE_URL|ENDPOINT|CONFIG_DIR|USE_|^HOME$/i

/** Returns a short digest that does not reveal the text (FNV-1a over two halves). */
function digestOf(text: string): string {
  let [a, b] = [0x811c_9dc5, 0x01ab_cdef]
  for (const letter of text) {
    a = Math.imul(a ^ (letter.codePointAt(0) ?? 0), 0x0100_0193)
    b = Math.imul(b ^ a, 0x0100_0193)
  }
  return [a, b]
    .map((half) => (half >>> 0).toString(16).padStart(8, '0'))
    .join('')
    .slice(0, 10)
}
