import type { RunnerKind } from './check-definition.ts'

/** Program of npm that decides a check, and the places of its settings. */
export interface NodeTool {
  readonly kind: RunnerKind | null
  readonly package: string
  /** Packages that do its work. */
  readonly related: readonly string[]
  /** Names of its settings files, the one that is read first first. */
  readonly configs: readonly string[]
  /** Further files that it reads wherever they are. */
  readonly extra: readonly string[]
  /** Keys of package.json. */
  readonly keys: readonly string[]
  /** Options that name a settings file or a module. */
  readonly options: readonly string[]
  /** True when settings in the folders of the files that it checks override its own. */
  readonly isNested: boolean
  /** Consequence of the first settings: a finding where it works without any. */
  readonly first: 'free' | 'finding'
}

const PLAIN_TOOL = {
  related: [],
  configs: [],
  extra: [],
  keys: [],
  options: [],
  isNested: false,
} as const satisfies Partial<NodeTool>

/** Tools by the name of their program. */
export const NODE_TOOLS: Readonly<Record<string, NodeTool>> = {
  vitest: test('vitest', {
    related: ['@vitest/runner', 'vite'],
    configs: [...named('vitest.config'), ...named('vite.config')],
    // Vite runs the settings of PostCSS when it starts.
    extra: [
      ...named('vitest.workspace'),
      ...named('vitest.projects'),
      'vitest.workspace.json',
      ...named('postcss.config'),
      '.postcssrc',
      ...['json', 'yaml', 'yml', 'js', 'cjs', 'mjs', 'ts'].map((end) => `.postcssrc.${end}`),
    ],
    keys: ['postcss'],
    options: ['-c', '--config', '--globalSetup', '--setupFiles', '--workspace', '--reporter'],
  }),
  jest: test('jest', {
    related: ['jest-cli', '@jest/core', 'jest-circus', 'jest-runner'],
    configs: [...named('jest.config'), 'jest.config.json'],
    extra: [
      ...named('babel.config'),
      'babel.config.json',
      '.babelrc',
      '.babelrc.js',
      '.babelrc.json',
      '.babelrc.cjs',
      '.swcrc',
    ],
    keys: ['jest', 'babel'],
    options: [
      '-c',
      '--config',
      '--globalSetup',
      '--setupFiles',
      '--setupFilesAfterEnv',
      '--testEnvironment',
      '--reporters',
    ],
  }),
  'react-scripts': test('jest', { package: 'react-scripts', keys: ['jest'] }),
  mocha: test('mocha', {
    configs: [
      '.mocharc.js',
      '.mocharc.cjs',
      '.mocharc.mjs',
      '.mocharc.yaml',
      '.mocharc.yml',
      '.mocharc.jsonc',
      '.mocharc.json',
    ],
    extra: ['test/mocha.opts'],
    keys: ['mocha'],
    options: ['--config', '-r', '--require', '--file', '--import', '--package', '--opts', '--reporter', '-R'],
  }),
  ava: test('ava', {
    configs: ['ava.config.js', 'ava.config.cjs', 'ava.config.mjs'],
    keys: ['ava'],
    options: ['--config'],
  }),
  tap: test('tap', { configs: ['.taprc'], keys: ['tap'], options: ['--before', '--after'] }),
  tape: test('tap', { package: 'tape', options: ['-r', '--require'] }),
  uvu: test('tap', { package: 'uvu', options: ['-r', '--require'] }),
  jasmine: test(null, {
    package: 'jasmine',
    configs: ['spec/support/jasmine.json', 'spec/support/jasmine.mjs', 'spec/support/jasmine.js'],
    options: ['--config'],
  }),
  karma: test(null, { package: 'karma', configs: ['karma.conf.js', 'karma.conf.ts', 'karma.conf.cjs'] }),
  playwright: test('playwright', {
    package: '@playwright/test',
    configs: named('playwright.config'),
    options: ['-c', '--config'],
  }),
  cypress: test(null, {
    package: 'cypress',
    configs: [...named('cypress.config'), 'cypress.json'],
    options: ['-C', '--config-file'],
  }),
  wtr: test(null, { package: '@web/test-runner', configs: named('web-test-runner.config'), options: ['--config'] }),
  tsc: compiler('typescript'),
  'vue-tsc': compiler('vue-tsc'),
  tsgo: compiler('@typescript/native-preview'),
  eslint: lint('eslint', {
    configs: [
      ...named('eslint.config'),
      '.eslintrc.js',
      '.eslintrc.cjs',
      '.eslintrc.yaml',
      '.eslintrc.yml',
      '.eslintrc.json',
      '.eslintrc',
    ],
    extra: ['.eslintignore'],
    keys: ['eslintConfig', 'eslintIgnore'],
    options: ['-c', '--config', '--ignore-path', '--rulesdir'],
    first: 'free',
  }),
  biome: lint('biome', {
    package: '@biomejs/biome',
    configs: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'],
    options: ['--config-path'],
  }),
  oxlint: lint('oxlint', {
    configs: ['.oxlintrc.json', '.oxlintrc.jsonc', 'oxlint.config.ts'],
    extra: ['.oxlintignore', '.eslintignore'],
    options: ['-c', '--config', '--ignore-path'],
  }),
  prettier: lint('prettier', {
    configs: [
      '.prettierrc',
      ...['json', 'yaml', 'yml', 'json5', 'js', 'ts', 'mjs', 'cjs', 'toml'].map((end) => `.prettierrc.${end}`),
      ...named('prettier.config'),
    ],
    extra: ['.prettierignore'],
    keys: ['prettier'],
    options: ['--config', '--ignore-path'],
  }),
  stylelint: lint(null, {
    package: 'stylelint',
    configs: ['.stylelintrc', '.stylelintrc.json', ...named('stylelint.config')],
    keys: ['stylelint'],
    first: 'free',
  }),
  xo: lint(null, { package: 'xo', configs: named('xo.config'), keys: ['xo'] }),
  standard: lint(null, { package: 'standard', keys: ['standard'] }),
  knip: lint(null, {
    package: 'knip',
    configs: ['knip.json', 'knip.jsonc', 'knip.ts', 'knip.js'],
    keys: ['knip'],
    options: ['-c', '--config'],
  }),
}

function test(kind: RunnerKind | null, more: Partial<NodeTool>): NodeTool {
  return { ...PLAIN_TOOL, kind, package: kind ?? '', first: 'finding', ...more }
}

function lint(kind: RunnerKind | null, more: Partial<NodeTool>): NodeTool {
  return { ...PLAIN_TOOL, kind, package: kind ?? '', isNested: true, first: 'finding', ...more }
}

function compiler(name: string): NodeTool {
  const options = ['-p', '--project', '-b', '--build']
  return { ...PLAIN_TOOL, kind: 'tsc', package: name, configs: ['tsconfig.json'], options, first: 'free' }
}

function named(name: string): readonly string[] {
  return ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${name}.${extension}`)
}
