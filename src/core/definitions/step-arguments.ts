import { joined } from './paths.ts'
import { TEST_FILE } from './test-files.ts'
import type { Step, Trail } from './trail.ts'

/** Returns the values of options, written "--config x", "--config=x", or "-cx" where that cannot be several options. */
export function optionValues(args: readonly string[], names: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    if (names.includes(arg)) return args[at + 1] === undefined ? [] : [args[at + 1] ?? '']
    const name = names.find((one) => arg.startsWith(one.startsWith('--') ? `${one}=` : one) && isJoined(arg, one))
    return name === undefined ? [] : [arg.slice(name.length).replace(/^=/, '')]
  })
}

function isJoined(arg: string, name: string): boolean {
  return name.startsWith('--') || /^-[Cf]/.test(arg) || /[./=]/.test(arg.slice(name.length))
}

/** Returns the arguments that are neither options nor values of the named options. */
export function plainArguments(args: readonly string[], valued: readonly string[] = []): readonly string[] {
  return args.filter((arg, at) => !arg.startsWith('-') && !valued.includes(args[at - 1] ?? ''))
}

/** Returns the files, folders and globs that a runner's arguments name. */
export function filesNamed({ args, folder }: Step, trail: Trail): readonly string[] {
  return plainArguments(args, CONFIG_OPTIONS).filter((arg) => {
    const path = joined(folder, arg)
    return /[/*]|\.\w+$/.test(arg) || trail.snapshot.has(path) || trail.snapshot.hasFolder(path)
  })
}

/** True where a test runner finds no tests yet: none by its usual names, and none that its command names. */
export function isWithoutTests(step: Step, trail: Trail): boolean {
  const { snapshot } = trail
  if (snapshot.matching(step.folder, TEST_FILE).length > 0) return false
  return !filesNamed(step, trail).some((name) => {
    const path = joined(step.folder, name)
    return snapshot.has(path) || snapshot.hasFolder(path) || /[*?]/.test(name)
  })
}

// Their values are no files to check.
const CONFIG_OPTIONS = [
  '-c',
  '--config',
  '--config-file',
  '--config-path',
  '-p',
  '--project',
  '--rcfile',
  '--rootdir',
  '-n',
  '-k',
  '-m',
  '-t',
  '-r',
  '--require',
  '--import',
  '--reporter',
  '--dir',
  '--shard',
  '--maxfail',
]
