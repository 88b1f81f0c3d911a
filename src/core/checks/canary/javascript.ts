import { appended, beside, prepended } from './beside.ts'
import type { Idiom, NearbyFile, Plant } from './idiom.ts'

const TEST_FILE = /(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/)(?:tests?|__tests__|spec)\/.*\.[cm]?[jt]sx?)$/
const SOURCE_FILE = /\.[cm]?[jt]sx?$/
const TYPED_FILE = /(?<!\.d)\.[cm]?tsx?$/

// Its first line, because the script may end before its last.
const scriptIdiom: Idiom = {
  takes: () => false,
  takesNamed: null,
  fresh: null,
  extended: ({ path, text }, marker) => ({ path, text: prepended(text, `throw new Error('${marker}')`), marker }),
}

/** Failures for JavaScript and TypeScript: a failing test, a type error, a syntax error. */
export const jsPlants: Readonly<Record<string, Idiom>> = {
  vitest: testIdiom(() => "import { expect, test } from 'vitest'\n\n"),
  jest: testIdiom(() => ''),
  mocha: { ...testIdiom(() => ''), takesNamed: SOURCE_FILE },
  'node-test': { ...testIdiom(nodeTestHeader), takesNamed: SOURCE_FILE },
  'node-script': scriptIdiom,
  tsc: sourceIdiom(TYPED_FILE, (marker) => `export const ${marker}: number = '${marker}'\n`),
  eslint: sourceIdiom(SOURCE_FILE, syntaxError),
  biome: sourceIdiom(SOURCE_FILE, syntaxError),
  oxlint: sourceIdiom(SOURCE_FILE, syntaxError),
  prettier: sourceIdiom(SOURCE_FILE, syntaxError),
}

function nodeTestHeader(text: string): string {
  return usesRequire(text) ? "const test = require('node:test')\n\n" : "import test from 'node:test'\n\n"
}

function testIdiom(header: (neighbour: string) => string): Idiom {
  return {
    takes: (path) => TEST_FILE.test(path) && !path.endsWith('.d.ts'),
    takesNamed: null,
    fresh: (neighbour, marker) => ({
      path: beside(neighbour.path, marker),
      text: `${header(neighbour.text)}${failingTest(header('') === '' ? callOf(neighbour) : 'test', marker)}\n`,
      marker,
    }),
    extended: (neighbour, marker) => ({
      path: neighbour.path,
      text: appended(neighbour.text, failingTest(callOf(neighbour), marker)),
      marker,
    }),
  }
}

function sourceIdiom(pattern: RegExp, text: (marker: string) => string): Idiom {
  return {
    takes: (path) => pattern.test(path) && !TEST_FILE.test(path),
    takesNamed: null,
    fresh: ({ path }, marker): Plant => ({ path: beside(path, marker), text: text(marker), marker }),
    extended: null,
  }
}

function failingTest(call: string, marker: string): string {
  return `${call}('${marker}', () => {\n  throw new Error('${marker}')\n})`
}

/** Returns the function that a test file calls for each test. */
function callOf({ text }: Pick<NearbyFile, 'text'>): 'it' | 'test' {
  return /\bit(?:\.\w+)*\(/.test(text) && !/\btest(?:\.\w+)*\(/.test(text) ? 'it' : 'test'
}

function usesRequire(text: string): boolean {
  return /\brequire\(/.test(text) && !/^import\b/m.test(text)
}

function syntaxError(marker: string): string {
  return `export const ${marker} = = '${marker}'\n`
}
