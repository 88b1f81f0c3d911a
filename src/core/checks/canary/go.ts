import { appended } from './beside.ts'
import type { Idiom, NearbyFile } from './idiom.ts'

/** Failures for Go: a failing test, a type error. */
export const goPlants: Readonly<Record<string, Idiom>> = {
  'go-test': {
    takes: (path) => path.endsWith('_test.go'),
    takesNamed: null,
    fresh: (neighbour, marker) => ({
      path: `${folderOf(neighbour)}${marker}_test.go`,
      text: `package ${packageOf(neighbour)}\n\nimport "testing"\n\n${failingTest(marker)}\n`,
      marker,
    }),
    extended: ({ path, text }, marker) => ({ path, text: appended(text, failingTest(marker)), marker }),
  },
  'go-vet': {
    takes: (path) => path.endsWith('.go') && !path.endsWith('_test.go'),
    takesNamed: null,
    fresh: (neighbour, marker) => ({
      path: `${folderOf(neighbour)}${marker}.go`,
      text: `package ${packageOf(neighbour)}\n\nvar ${marker} int = "${marker}"\n`,
      marker,
    }),
    extended: null,
  },
}

function failingTest(marker: string): string {
  return `func Test_${marker}(t *testing.T) {\n\tt.Fatal("${marker}")\n}`
}

function packageOf({ text }: NearbyFile): string {
  return /^package\s+(\w+)/m.exec(text)?.[1] ?? 'main'
}

function folderOf({ path }: NearbyFile): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
