#!/usr/bin/env node
// Runs every check, cheap ones first, and stops at the first failure. --quick leaves out tests that start real processes.
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
  { title: 'Set-up', run: () => runNode('inherit', 'scripts/set-up.mjs') },
  inParallel(
    check('Format and lint: biome', bin('@biomejs/biome/bin/biome'), 'ci', colors, '--error-on-warnings', '.'),
    check('Lint: oxlint', bin('oxlint/bin/oxlint'), '--deny-warnings'),
    check('Types', bin('typescript/bin/tsc'), '-p', '.', '--noEmit'),
    check('Unused code', bin('knip/bin/knip.js')),
    check('Unused code, tests aside', bin('knip/bin/knip.js'), '--production'),
  ),
  tests('architecture', 'unit'),
  // All in one run: CPU-bound tests fill the time in which others wait for processes.
  ...(isQuick
    ? [tests('simulation', 'golden')]
    : [
        { title: 'Terminal and shells for tests: tmux, zsh, fish', run: offerTerminal },
        tests('simulation', 'golden', 'adapters', 'conformance', 'journeys'),
      ]),
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
  return { title, run: (output) => runNode(output, script, ...args) }
}

// Runs all at the same time; the output of each is printed in one piece when it ends.
function inParallel(...checks) {
  const runOne = async ({ title, run }) => {
    const output = []
    const code = await run(output)
    console.log(
      `${code === 0 ? 'ok' : `FAILED (exit code ${code})`}: ${title}\n${code === 0 ? '' : output.join('')}`.trimEnd(),
    )
    return code
  }
  const run = async () => (await Promise.all(checks.map(runOne))).find((code) => code !== 0) ?? 0
  return { title: checks.map(({ title }) => title).join(' · '), run }
}

function tests(...projects) {
  const file = join(results, `${projects.join('-')}.json`)
  const run = async () => {
    const chosen = projects.flatMap((project) => ['--project', project])
    const args = [bin('vitest/vitest.mjs'), 'run', ...chosen, '--update=none', `--outputFile=${file}`]
    const code = await runNode('inherit', ...args)
    const counts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    for (const count of Object.values(counts)) for (const kind of Object.keys(totals)) totals[kind] += count[kind]
    const empty = projects.filter((project) => !(counts[project]?.passed + counts[project]?.failed > 0))
    if (code === 0 && empty.length > 0) console.log(`No test ran in ${empty.join(', ')}.`)
    return code === 0 && empty.length > 0 ? 1 : code
  }
  return { title: `Tests: ${projects.join(', ')}`, run }
}

// Output is inherited, or collected in a list.
function runNode(output, script, ...args) {
  const stdio = output === 'inherit' ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', stdio, stdio] })
  for (const pipe of [child.stdout, child.stderr]) pipe?.setEncoding('utf8').on('data', (text) => output.push(text))
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
