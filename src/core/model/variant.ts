import type { Commit, Tree } from './ids.ts'

/** Changed file of a variant: a new text, or the file as another commit has it; a file absent there is removed. */
export type VariantFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly from: Commit }

/** Commit that is checked in place of another, and never lands. */
export interface Variant {
  readonly kind: 'variant'
  readonly commit: Commit
  readonly tree: Tree
}
