/** Replaces secrets in a text. */
export type Mask = (text: string) => string

/** Makes a mask for values that the settings take from the environment, and for all values named like keys. */
export function maskFor(written: Readonly<Record<string, string>>, resolved: Readonly<Record<string, string>>): Mask {
  const secrets = Object.entries(resolved)
    .filter(([name, value]) => value.length >= SECRET_LENGTH_MIN && (written[name] !== value || isKey(name)))
    // Plain and as inside JSON; longest first, because a secret may contain another one.
    .flatMap(([, value]) => [value, JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASKED), text)
}

/** Replacement for a secret. */
export const MASKED = '[masked]'
// Masking shorter values such as "true" or "1" would garble the transcript.
const SECRET_LENGTH_MIN = 6

function isKey(name: string): boolean {
  return /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name)
}
