import type { StackKind } from './stack.ts'

/** Go modules. */
export const go: StackKind = {
  name: 'go',
  marks: ['go.mod'],
  needs: () => ({
    setup: [],
    gates: [
      { name: 'tests', run: 'go test -json ./...', protect: ['**/*_test.go'] },
      { name: 'vet', run: 'go vet ./...', protect: [] },
    ],
  }),
  usual: { files: ['go.mod'], text: () => null },
}
