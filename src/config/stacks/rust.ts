import type { StackKind } from './stack.ts'

/** Cargo packages and workspaces. */
export const rust: StackKind = {
  name: 'rust',
  marks: ['Cargo.toml'],
  needs({ text }) {
    const isWorkspace = /^\s*\[workspace\]/m.test(text('Cargo.toml') ?? '')
    const run = isWorkspace ? 'cargo test --workspace' : 'cargo test'
    return { setup: [], gates: [{ name: 'tests', run, protect: [isWorkspace ? '**/tests/**' : 'tests/**'] }] }
  },
  usual: { files: ['Cargo.toml'], text: () => null },
}
