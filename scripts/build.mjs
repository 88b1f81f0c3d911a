// Builds dist: programs bundled by rolldown, and the types of the package's exports by tsc.
import { spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// The command line and the library; the last two let journeys run verbs in the test process.
const PROGRAM = ['main', 'index', 'surfaces/cli/cli', 'registry']
// Started for every engine and every agent, so each is one small file.
const ALONE = ['process/end/guard-main', 'adapters/drivers/scripted/agent-main']
// The SDK is optional and large, SQLite is a binary.
const NOT_BUNDLED = ['@anthropic-ai/claude-agent-sdk', '@photostructure/sqlite']

/** Lists the inputs of a build; the lock file stands for the sources of packages. */
export function buildInputs() {
  const settings = ['scripts/build.mjs', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json']
  return [...settings.map((name) => join(root, name)), ...sources(join(root, 'src'))]
}

/** Builds into a folder: entry src/a/b.ts becomes a/b.js, and code that entries share becomes chunks. */
export async function build(folder) {
  const bundles = [bundle(folder, PROGRAM, true), ...ALONE.map((name) => bundle(folder, [name], false))]
  const [, ...files] = await all([writeTypes(folder), ...bundles])
  writeLicences(join(folder, 'LICENSES.txt'), files.flat())
  chmodSync(join(folder, 'main.js'), 0o755)
}

// Waits for all before it rejects, so that nothing is still writing after a failure.
async function all(tasks) {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}

async function bundle(dir, names, codeSplitting) {
  // Imported here because set-up may have to install it first.
  const { rolldown } = await import('rolldown')
  const input = Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]))
  const bundled = await rolldown({ cwd: root, input, platform: 'node', external: NOT_BUNDLED, onLog })
  // Names without digests: after a rebuild a running engine still finds the chunks it has yet to load.
  const naming = { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js', minifyInternalExports: false }
  try {
    return (await bundled.write({ dir, format: 'esm', sourcemap: true, codeSplitting, ...naming })).output
  } finally {
    await bundled.close()
  }
}

// A missing package would only be a warning.
function onLog(level, { message }) {
  if (level === 'warn') throw new Error(message)
}

function writeTypes(folder) {
  const args = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json', '--outDir', join(folder, 'types')]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`"node ${args.join(' ')}" ended with ${signal ?? code}.`))
    })
  })
}

// Bundled code of a package is distributed with its licence.
function writeLicences(file, files) {
  const modules = files.flatMap(({ moduleIds = [] }) => moduleIds)
  const packages = [...new Set(modules.map(packageOf))].filter((folder) => folder !== null).sort()
  writeFileSync(file, `dist contains code of these packages.\n${packages.map(licenceOf).join('')}`)
}

function packageOf(module) {
  return /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? null
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder).filter((entry) => /^(licen[cs]e|notice)/i.test(entry))
  if (texts.length === 0) throw new Error(`${name} would be bundled and has no licence text.`)
  const text = texts.map((entry) => readFileSync(join(folder, entry), 'utf8').trim()).join('\n\n')
  return `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
