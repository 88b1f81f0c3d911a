import type { Receipt } from '../model/verdict.ts'

/** The receipts of checks that a fact says have just run. */
export function receiptsOf(event: { readonly kind: string }): readonly Receipt[] {
  if (!CHECKED.has(event.kind)) return []
  return (event as { readonly kind: string; readonly receipts: readonly Receipt[] }).receipts.filter(
    ({ cachedFrom }) => cachedFrom === null,
  )
}

// Other facts with receipts repeat what one of these has said.
const CHECKED: ReadonlySet<string> = new Set([
  'baseline-checked',
  'candidate-checked',
  'candidate-refused',
  'verdict-given',
])
