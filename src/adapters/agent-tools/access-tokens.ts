import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Secret tokens, and the holder of each. */
export class AccessTokens<Holder> {
  readonly #holders = new Map<Buffer, Holder>()

  /** Issues a token to a holder. */
  issue(holder: Holder): { readonly token: string; revoke(): void } {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const digest = digestOf(token)
    this.#holders.set(digest, holder)
    return { token, revoke: () => void this.#holders.delete(digest) }
  }

  /** Returns the holder of a token, or null; takes the same time for every token. */
  find(token: string): Holder | null {
    const digest = digestOf(token)
    let match: Holder | null = null
    for (const [known, holder] of this.#holders) if (timingSafeEqual(known, digest)) match = holder
    return match
  }
}

const TOKEN_BYTES = 32

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
