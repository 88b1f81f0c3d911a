import { appended, beside } from './beside.ts'
import type { Idiom } from './idiom.ts'

/** Failures for Rust: a failing test in tests/ or in the library itself, an error of the compiler. */
export const rustPlants: Readonly<Record<string, Idiom>> = {
  'cargo-test': {
    takes: (path) => INTEGRATION_TEST.test(path) || CRATE_ROOT.test(path),
    takesNamed: null,
    fresh: null,
    extended: ({ path, text }, marker) => ({
      path: INTEGRATION_TEST.test(path) ? beside(path, marker) : path,
      text: INTEGRATION_TEST.test(path) ? `${failingTest(marker)}\n` : appended(text, testModule(marker)),
      marker,
    }),
  },
  'cargo-check': {
    takes: (path) => CRATE_ROOT.test(path),
    takesNamed: null,
    fresh: null,
    extended: ({ path, text }, marker) => ({ path, text: appended(text, `compile_error!("${marker}");`), marker }),
  },
}

const INTEGRATION_TEST = /(?:^|\/)tests\/[^/]+\.rs$/
const CRATE_ROOT = /(?:^|\/)src\/(?:lib|main)\.rs$/

function testModule(marker: string): string {
  return `#[cfg(test)]\nmod ${marker} {\n${failingTest(marker)}\n}`
}

function failingTest(marker: string): string {
  return `#[test]\nfn ${marker}() {\n    panic!("${marker}");\n}`
}
