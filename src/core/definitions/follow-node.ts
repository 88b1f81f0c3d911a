import { followModule } from './follow-module.ts'
import { guardPackage } from './follow-node-tool.ts'
import { packageScripts } from './follow-package-scripts.ts'
import { followScript } from './follow-script.ts'
import { joined } from './paths.ts'
import { guardReplacements } from './replaced-packages.ts'
import { filesNamed, isWithoutTests, optionValues } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'

/** Follows node and programs like it: preloaded modules, files with variables, node:test, package scripts, scripts. */
export const followNode: Follower = (step, trail) => {
  if (step.program !== 'node')
    guardPackage(step.program, step.folder, { reader: step.program, ifNew: 'finding' }, trail)
  for (const value of optionValues(step.args, PRELOADS)) preload(value, step, trail)
  for (const value of optionValues(step.args, VARIABLES))
    trail.file(joined(step.folder, value), { reader: 'node', ifNew: 'finding' })
  const [script] = optionValues(step.args, ['--run'])
  if (script !== undefined) return packageScripts(script, step.folder, step, trail)
  if (step.args.some((arg) => arg === '--test' || arg.startsWith('--test='))) return nodeTest(step, trail)
  const file = scriptOf(step.args)
  if (file !== null) followScript(file, step, trail)
}

function nodeTest(step: Step, trail: Trail): void {
  trail.runner({ kind: 'node-test', folder: step.folder, files: filesNamed(step, trail) })
  const ifNew = isWithoutTests(step, trail) ? 'free' : 'finding'
  trail.file(joined(step.folder, 'node.config.json'), { reader: 'node', ifNew })
  guardReplacements(step.folder, { reader: 'node', ifNew }, trail)
}

function preload(value: string, step: Step, trail: Trail): void {
  if (/^\.{1,2}\//.test(value)) {
    const file = trail.first(
      ['', '.js', '.mjs', '.cjs', '.ts'].map((end) => joined(step.folder, `${value}${end}`)),
      { reader: 'node', ifNew: 'finding' },
    )
    if (file !== null) followModule(file, step, trail)
  } else
    guardPackage(
      value
        .split('/')
        .slice(0, value.startsWith('@') ? 2 : 1)
        .join('/'),
      step.folder,
      { reader: 'node', ifNew: 'finding' },
      trail,
    )
}

/** Returns the script that node runs, or null for code on the command line. */
function scriptOf(args: readonly string[]): string | null {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (['-e', '--eval', '-p', '--print', '-c', '--check'].includes(arg)) return null
    if (VALUED.includes(arg)) at += 1
    else if (!arg.startsWith('-') && arg !== 'run' && arg !== 'watch') return arg
  }
  return null
}

const PRELOADS = [
  '--require',
  '-r',
  '--import',
  '--loader',
  '--experimental-loader',
  '--test-reporter',
  '--test-global-setup',
]
// Their files can set NODE_OPTIONS.
const VARIABLES = ['--env-file', '--env-file-if-exists']
const VALUED = [
  ...PRELOADS,
  ...VARIABLES,
  '-C',
  '--conditions',
  '--input-type',
  '--tsconfig',
  '--test-reporter-destination',
  '--stack-size',
]
