/** Returns the flags that make a script's runner also write a test report, or null unless the script is one plain run. */
export function reportFlags(script: string): string | null {
  if (UNSAFE.test(script)) return null
  const [program = '', ...args] = script.trim().replace(IN_FRONT, '').split(/\s+/)
  if (args.some((arg) => OWN_REPORT.test(arg))) return null
  switch (program) {
    case 'vitest':
      return OTHER_VITEST.has(args[0] ?? '') ? null : VITEST
    case 'jest':
      return JEST
    case 'node':
      return args.includes('--test') && !hasFiles(args) ? NODE : null
    default:
      return null
  }
}

/** Path of the report, as a word of a shell command. */
export const REPORT = '"$LONGHAUL_TEST_REPORT"'

// node takes everything behind its first file for an argument of that file.
function hasFiles(args: readonly string[]): boolean {
  return args.some((arg, at) => !arg.startsWith('-') && !WITH_VALUE.has(args[at - 1] ?? ''))
}

const UNSAFE = /[;&|<>()`$\\'"*?{}\n#]|(?:^|\s)--(?:\s|$)/
// Variables, and programs that run another: "cross-env TZ=UTC npx jest".
const IN_FRONT = /^(?:(?:cross-env|npx|\w+=\S*)\s+)*/
const OWN_REPORT = /^--(?:reporters?|outputFile|json|watch|watchAll|ui|test-reporter|test-reporter-destination)\b|^-w$/
const OTHER_VITEST = new Set(['watch', 'dev', 'bench', 'related', 'list', 'init', 'typecheck'])
const WITH_VALUE = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--conditions', '-C'])
const VITEST = `--reporter=default --reporter=json --outputFile.json=${REPORT}`
const JEST = `--json --outputFile=${REPORT}`
// TAP names the line of every failure; the XML of node:test does not.
const NODE = [
  '--test-reporter=spec --test-reporter-destination=stdout',
  `--test-reporter=tap --test-reporter-destination=${REPORT}`,
].join(' ')
