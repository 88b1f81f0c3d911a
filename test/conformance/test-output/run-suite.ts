import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { combineReads } from '../../../src/core/test-output/combine-reads.ts'
import { placeFailures } from '../../../src/core/test-output/place-failures.ts'
import { readReport } from '../../../src/core/test-output/read-report.ts'
import { TestOutput } from '../../../src/core/test-output/test-output.ts'
import type { TestOutputRead } from '../../../src/core/test-output/test-output-read.ts'
import type { Framework, Reporter } from './pairs.ts'
import { ROOT } from './truth.ts'

/** Place of a framework's programs: folders for PATH, packages to link, and folders that recordings must not name. */
export interface Installed {
  readonly path: readonly string[]
  readonly modules: string | null
  readonly env: Readonly<Record<string, string>>
  readonly hidden: readonly string[]
}

/** Output and files of a framework, with the suite's folder called /words. */
export interface Printed {
  readonly machine: string
  readonly outputs: Readonly<Record<string, string>>
  readonly reports: Readonly<Record<string, string>>
}

/** Runs a framework's suite with each reporter in a temporary folder. */
export function runSuite(framework: Framework, installed: Installed): Printed {
  return inSuite(framework, installed, (run) => ({
    machine: run(framework.machine).machine,
    outputs: mapped(framework.outputs, (reporter) => run(commandOf(reporter)).output),
    reports: mapped(framework.reports, (reporter) => run(commandOf(reporter)).report),
  }))
}

/** Everything that one run of a suite printed and wrote. */
export interface RunOfSuite {
  readonly output: string
  readonly machine: string
  readonly report: string
}

/** Works in a temporary folder with a framework's suite. */
export function inSuite<T>(
  { suite, extra }: Pick<Framework, 'suite' | 'extra'>,
  installed: Installed,
  work: (run: (command: string) => RunOfSuite) => T,
): T {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-suite-')))
  const folder = join(root, 'words')
  try {
    for (const [path, text] of Object.entries({ ...suite, ...extra })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    if (installed.modules !== null) symlinkSync(installed.modules, join(folder, 'node_modules'))
    return work((command) => runCommand(command, folder, installed))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function runCommand(command: string, folder: string, { path, env, hidden }: Installed): RunOfSuite {
  const [machine, report] = [join(dirname(folder), 'machine'), join(dirname(folder), 'report')]
  for (const file of [machine, report]) rmSync(file, { force: true })
  const { stdout, error } = spawnSync('/bin/sh', ['-c', `exec 2>&1; ${command}`], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX,
    env: {
      ...pick(process.env),
      PATH: [...path, process.env.PATH].join(':'),
      NO_COLOR: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      MACHINE: machine,
      LONGHAUL_TEST_REPORT: report,
      ...env,
    },
  })
  if (error !== undefined) throw error
  const plain = (text: string) => hide(text.replaceAll(folder, ROOT), hidden)
  const written = (file: string) => (existsSync(file) ? plain(readFileSync(file, 'utf8')) : '')
  return { output: plain(stdout), machine: written(machine), report: written(report) }
}

function pick({ HOME = '/', LANG = 'C.UTF-8' }: NodeJS.ProcessEnv) {
  return { HOME, LANG }
}

/** Replaces folders of this machine. */
function hide(text: string, hidden: readonly string[]): string {
  let plain = text
  for (const folder of hidden) plain = plain.replaceAll(folder, '/tools')
  return plain.replaceAll(/[^\s"'(]*\/lib\/python3/g, '/usr/lib/python3')
}

export function commandOf(reporter: Reporter): string {
  return typeof reporter === 'string' ? reporter : reporter.run
}

/** Reads an output as a check does. */
export function readOutput(text: string, suite: Framework['suite'], command: string): TestOutputRead {
  const output = new TestOutput(ROOT, command)
  output.take(text)
  return placed(output.end(), suite)
}

/** Reads a report as a check does, with nothing in the output. */
export function readWritten(text: string, suite: Framework['suite']): TestOutputRead {
  const nothing = new TestOutput(ROOT).end()
  return placed(combineReads(readReport(text, ROOT), nothing), suite)
}

function placed(read: TestOutputRead, suite: Framework['suite']): TestOutputRead {
  return placeFailures(read, { folders: [], hasFile: (path) => path in suite, findBelow: () => null })
}

function mapped<From, To>(all: Readonly<Record<string, From>>, each: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, each(one)]))
}

/** Finds a program in folders. */
export function findIn(folders: readonly string[], program: string): string | null {
  return (
    folders.map((folder) => join(folder, program)).find((file) => existsSync(file) && statSync(file).isFile()) ?? null
  )
}

const OUTPUT_MAX = 256 * 1024 * 1024
