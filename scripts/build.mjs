// Makes what dist holds: what runs, bundled by rolldown, and the types of what the package exports, by tsc.
import { spawn } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

// The command line and the library. Journeys run verbs in their own process: with the next two.
const PROGRAM = ['main', 'index', 'surfaces/cli/cli', 'registry']
// Started for every engine and every agent, so each is one small file.
const ALONE = ['process/guard-main', 'adapters/drivers/scripted/agent-main']
// The first is optional and large, the second a binary.
const NOT_BUNDLED = ['@anthropic-ai/claude-agent-sdk', '@photostructure/sqlite']

/** What a build is made from, apart from the sources of packages, which the lock file stands for. */
export function buildInputs() {
  const settings = ['scripts/build.mjs', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json']
  return [...settings.map((name) => join(root, name)), ...sources(join(root, 'src'))]
}

/** Builds into a folder: an entry src/a/b.ts becomes a/b.js there, and what entries share becomes chunks. */
export async function build(folder) {
  const bundles = [bundle(folder, PROGRAM, true), ...ALONE.map((name) => bundle(folder, [name], false))]
  const [, ...files] = await all([writeTypes(folder), ...bundles])
  writeLicences(join(folder, 'LICENSES.txt'), files.flat())
  chmodSync(join(folder, 'main.js'), 0o755)
}

// Nothing goes on writing when something has failed.
async function all(works) {
  await Promise.allSettled(works)
  return Promise.all(works)
}

async function bundle(dir, names, codeSplitting) {
  // Loaded here, because set-up may have to install it first.
  const { rolldown } = await import('rolldown')
  const input = Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]))
  const bundled = await rolldown({ cwd: root, input, platform: 'node', external: NOT_BUNDLED, onLog })
  // Names without digests: a rebuild should leave in place what a running engine has yet to load.
  const naming = { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js', minifyInternalExports: false }
  try {
    return (await bundled.write({ dir, format: 'esm', sourcemap: true, codeSplitting, ...naming })).output
  } finally {
    await bundled.close()
  }
}

// A package that is not found would only be a warning.
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

// Whose code is passed on, its licence is passed on.
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
