/** Takes secrets out of a text. */
export type Mask = (text: string) => string

/** A mask for the values that settings take from our environment, and for keys wherever they come from. */
export function maskFor(written: Readonly<Record<string, string>>, resolved: Readonly<Record<string, string>>): Mask {
  const secrets = Object.entries(resolved)
    .filter(([name, value]) => value.length >= SECRET_LENGTH_MIN && (written[name] !== value || isKey(name)))
    // As they are, and as they are written inside JSON; the longest first, so that no rest of one is left.
    .flatMap(([, value]) => [value, JSON.stringify(value).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASKED), text)
}

/** What stands in the place of a secret. */
export const MASKED = '[masked]'
// Shorter values are words such as "true" or "1", and would take half of a transcript with them.
const SECRET_LENGTH_MIN = 6

function isKey(name: string): boolean {
  return /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i.test(name)
}
