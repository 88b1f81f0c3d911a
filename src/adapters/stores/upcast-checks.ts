import { PLAIN_FINDING, PLAIN_RECEIPT } from '../../core/model/verdict.ts'

/** Findings had no place of their own at first, then no severity, and receipts neither names of tests nor excuses. */
export function withCheckKeys(body: { readonly kind: string }): { readonly kind: string } {
  const { cause, message } = body as Holding
  return {
    ...body,
    ...keysOf(body as Holder),
    ...(typeof cause === 'object' ? { cause: { ...cause, ...keysOf(cause) } } : {}),
    ...(typeof message === 'object' ? { message: { ...message, ...keysOf(message) } } : {}),
  }
}

const END_KEYS = { phase: null, note: null }

/** What ended attempts did not say at first. */
export function withEndKeys(body: { readonly kind: string }): { readonly kind: string } {
  return { ...withCheckKeys(body), ...END_KEYS }
}

/** A fact, or a part of it, that may hold some. */
interface Holder {
  readonly findings?: readonly object[]
  readonly receipts?: readonly object[]
}

interface Holding {
  readonly kind: string
  readonly cause?: Holder | string
  readonly message?: Holder
}

function keysOf({ findings, receipts }: Holder): Holder {
  return {
    ...(findings === undefined ? {} : { findings: findings.map((one) => ({ ...PLAIN_FINDING, ...one })) }),
    ...(receipts === undefined ? {} : { receipts: receipts.map((one) => ({ ...PLAIN_RECEIPT, ...one })) }),
  }
}
