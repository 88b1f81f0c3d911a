import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { differences } from './compare.ts'
import { COVERAGES, ROUNDING } from './coverages.ts'
import { installTool } from './install-tool.ts'
import { FRAMEWORKS, type Framework } from './pairs.ts'
import { commandOf, inSuite, type Printed, readOutput, readWritten, runSuite } from './run-suite.ts'

// Compares what we read with what each framework itself says: test-output-matrix [--record] [FRAMEWORK …]
const args = process.argv.slice(2)
const isRecording = args.includes('--record')
const names = args.filter((arg) => !arg.startsWith('--'))
const RECORDINGS = join(process.cwd(), 'test/recordings/compared')
process.exitCode = compareAll(FRAMEWORKS.filter(({ name }) => names.length === 0 || names.includes(name)))

/** Compares the coverage that runners print with what they write. */
function compareCoverages(): number {
  let faults = 0
  for (const { name, tool, suite, run, share } of COVERAGES) {
    const installed = installTool(tool)
    if (installed === null) continue
    const { output, machine } = inSuite({ suite }, installed, (runIn) => runIn(run))
    if (isRecording) recordFiles(`coverage-${name}`, { machine, output })
    const { coverage } = readOutput(output, suite, run)
    const isSame = coverage !== null && Math.abs(coverage - share(machine)) < ROUNDING
    console.log(`${isSame ? 'ok     ' : 'DIFFERS'} coverage of ${name}: ${coverage}, and ${share(machine)} in its file`)
    faults += isSame ? 0 : 1
  }
  return faults
}

/** Compares the frameworks; returns exit code 1 when a reading differs, or a framework cannot be installed. */
function compareAll(frameworks: readonly Framework[]): number {
  let faults = 0
  for (const framework of frameworks) {
    const installed = installTool(framework.tool)
    if (installed === null) {
      console.log(`MISSING ${framework.name}: ${framework.tool} cannot be installed here`)
      faults += 1
      continue
    }
    const printed = runSuite(framework, installed)
    if (isRecording) record(framework, printed)
    faults += compare(framework, printed)
  }
  if (names.length === 0 || names.includes('coverage')) faults += compareCoverages()
  return faults === 0 ? 0 : 1
}

function compare(framework: Framework, { machine, outputs, reports }: Printed): number {
  const truth = framework.truth(machine)
  const of = (kind: 'output' | 'report', reporter: string, text: string) => {
    const printedBy = framework[kind === 'output' ? 'outputs' : 'reports'][reporter] ?? ''
    const { suite } = framework
    const read = kind === 'output' ? readOutput(text, suite, commandOf(printedBy)) : readWritten(text, suite)
    const faults = differences(read, truth, typeof printedBy === 'object' ? printedBy : {})
    const { passed = 0, failed = 0, skipped = 0 } = read.tests ?? {}
    const title = `${framework.name} ${reporter} (${kind}): ${passed} passed, ${failed} failed, ${skipped} skipped`
    console.log(
      `${faults.length === 0 ? 'ok     ' : 'DIFFERS'} ${title}${faults.map((one) => `\n          ${one}`).join('')}`,
    )
    return faults.length === 0 ? 0 : 1
  }
  const counts = [
    ...Object.entries(outputs).map(([reporter, text]) => of('output', reporter, text)),
    ...Object.entries(reports).map(([reporter, text]) => of('report', reporter, text)),
  ]
  return counts.reduce((sum: number, count) => sum + count, 0)
}

function record({ name }: Framework, { machine, outputs, reports }: Printed): void {
  const named = (kind: string, texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([reporter, text]) => [`${kind}-${reporter}`, text] as const)
  recordFiles(name, { machine, ...Object.fromEntries([...named('output', outputs), ...named('report', reports)]) })
}

function recordFiles(name: string, files: Readonly<Record<string, string>>): void {
  const folder = join(RECORDINGS, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, `${file}.txt`), text)
}
