/** Programs that decide the outcome of a check, by the way they are made to fail. */
export type RunnerKind =
  | TestRunnerKind
  | 'tsc'
  | 'eslint'
  | 'biome'
  | 'oxlint'
  | 'prettier'
  | 'ruff'
  | 'flake8'
  | 'mypy'
  | 'pyright'
  | 'cargo-check'
  | 'cargo-clippy'
  | 'go-vet'
  | 'go-build'
  | 'golangci-lint'

export type TestRunnerKind =
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'ava'
  | 'tap'
  | 'playwright'
  | 'node-test'
  | 'node-script'
  | 'python-script'
  | 'bun-test'
  | 'deno-test'
  | 'pytest'
  | 'unittest'
  | 'go-test'
  | 'cargo-test'
  | 'gradle'
  | 'maven'

/** Runner that a check comes to. */
export interface CheckRunner {
  readonly kind: RunnerKind
  /** Folder that it runs in, relative to the repository. */
  readonly folder: string
  /** Files, folders or globs that the command names, relative to the folder. */
  readonly files: readonly string[]
}

/** Part of the repository that a check is made of. */
export interface DefinitionPart {
  /** Name for people, like "scripts.test in package.json". */
  readonly what: string
  readonly file: string | null
  readonly digest: string
}

/** Everything that a check is made of at one commit. */
export interface CheckDefinition {
  readonly parts: readonly DefinitionPart[]
  readonly runners: readonly CheckRunner[]
  /** Digest of all parts. */
  readonly digest: string
}
