import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Those who may come in, each by a token of its own that nobody can guess. */
export class AccessTokens<Guest> {
  readonly #known = new Map<Buffer, Guest>()

  /** Lets a guest in; gives its token, and how to send it away again. */
  admit(guest: Guest): { readonly token: string; revoke(): void } {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const digest = digestOf(token)
    this.#known.set(digest, guest)
    return { token, revoke: () => void this.#known.delete(digest) }
  }

  /** Whose token this is; null: nobody's. Takes the same time for every token. */
  find(token: string): Guest | null {
    const digest = digestOf(token)
    let found: Guest | null = null
    for (const [known, guest] of this.#known) if (timingSafeEqual(known, digest)) found = guest
    return found
  }
}

const TOKEN_BYTES = 32

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
