#!/usr/bin/env node
// Runs every check in order and stops at the first that fails. With --quick: all but what starts real processes.
// The last line printed is always "N passed, N failed", with ", N skipped" when there are any.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { offerProgram } from './offer-program.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isQuick = process.argv.includes('--quick')
const results = mkdtempSync(join(tmpdir(), 'longhaul-test-'))
const colors = `--colors=${process.stdout.isTTY ? 'force' : 'off'}`
const totals = { passed: 0, failed: 0, skipped: 0 }

const steps = [
  check('Set-up', 'scripts/set-up.mjs'),
  check('Format and lint: biome', bin('@biomejs/biome/bin/biome'), 'ci', colors, '--error-on-warnings', '.'),
  check('Lint: oxlint', bin('oxlint/bin/oxlint'), '--deny-warnings'),
  check('Types', bin('typescript/bin/tsc'), '-p', '.', '--noEmit'),
  check('Unused code', bin('knip/bin/knip.js')),
  check('Unused code, tests aside', bin('knip/bin/knip.js'), '--production'),
  ...['architecture', 'unit', 'simulation', 'golden'].map(tests),
  ...(isQuick ? [] : [{ title: 'A terminal and shells to test in: tmux, zsh, fish', run: offerTerminal }]),
  ...(isQuick ? [] : ['adapters', 'conformance', 'journeys'].map(tests)),
]

process.exitCode = await runAll()
rmSync(results, { recursive: true, force: true })
if (process.exitCode !== 0 && totals.failed === 0) totals.failed = 1
const { passed, failed, skipped } = totals
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)

async function runAll() {
  for (const step of steps) {
    console.log(`\n── ${step.title}`)
    const code = await step.run()
    if (code !== 0) {
      console.log(`\n${step.title} failed (exit code ${code}).`)
      return code
    }
  }
  return 0
}

async function offerTerminal() {
  offerProgram('tmux', 'tmux', 'tmux is not installed: nothing is tested in a real terminal.')
  for (const shell of ['zsh', 'fish']) {
    offerProgram(shell, shell, `${shell} is not installed: its completion is not tested.`)
  }
  return 0
}

function check(title, script, ...args) {
  return { title, run: () => runNode(script, ...args) }
}

function tests(project) {
  const file = join(results, `${project}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const run = async () => {
    const code = await runNode(bin('vitest/vitest.mjs'), 'run', '--project', project, '--update=none', ...reporters)
    const ran = addResults(file)
    if (code === 0 && ran === 0) console.log(`No test ran in ${project}.`)
    return code === 0 && ran === 0 ? 1 : code
  }
  return { title: `Tests: ${project}`, run }
}

function addResults(file) {
  if (!existsSync(file)) return 0
  const result = JSON.parse(readFileSync(file, 'utf8'))
  totals.passed += result.numPassedTests
  totals.failed += result.numFailedTests
  totals.skipped += result.numPendingTests + result.numTodoTests
  return result.numPassedTests + result.numFailedTests
}

function runNode(script, ...args) {
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const passOn = (signal) => child.kill(signal)
  process.on('SIGTERM', passOn).on('SIGINT', passOn)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.off('SIGTERM', passOn).off('SIGINT', passOn)
      resolve(code ?? 1)
    })
  })
}

function bin(path) {
  return join(root, 'node_modules', path)
}
