import { jsonEntry } from './excerpts.ts'
import { followConfiguration } from './follow-module.ts'
import { LOCK_FILES } from './lock-entry.ts'
import type { NodeTool } from './node-tools.ts'
import { foldersUp, joined, nameOf } from './paths.ts'
import type { PlaceUse } from './place.ts'
import { guardReplacements } from './replaced-packages.ts'
import { filesNamed, isWithoutTests, optionValues } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'

/** Follows a program of npm to its settings, its package and its entry in the lock file. */
export function followNodeTool(tool: NodeTool): Follower {
  return (step, trail) => {
    const { kind } = tool
    if (kind !== null)
      trail.runner({
        kind,
        folder: step.folder,
        files: filesNamed(step, trail).filter((file) => !isOptionFile(file, step, tool)),
      })
    const use: PlaceUse = { reader: nameOf(tool.package), ifNew: ifNew(tool, step, trail) }
    followSettings(tool, step, use, trail)
    const packages = [tool.package, ...tool.related]
    for (const name of packages) guardPackage(name, step.folder, use, trail)
    guardReplacements(step.folder, use, trail, packages)
  }
}

/** Guards the versions of a package: ranges in package.json, overrides, lock files, and copies that are committed. */
export function guardPackage(name: string, folder: string, { reader, ifNew }: PlaceUse, trail: Trail): void {
  const free: PlaceUse = { reader, ifNew: 'free' }
  for (const at of foldersUp(folder)) {
    const manifest = joined(at, 'package.json')
    for (const list of ['dependencies', 'devDependencies'])
      trail.excerpt(manifest, `${list}.${name}`, jsonEntry(list, name), free)
    for (const list of [['overrides'], ['resolutions'], ['pnpm', 'overrides']]) {
      trail.excerpt(manifest, [...list, name].join('.'), jsonEntry(...list, name), { reader, ifNew })
    }
    for (const [lock, entry] of Object.entries(LOCK_FILES)) trail.excerpt(joined(at, lock), name, entry(name), free)
    guardInstalled(name, at, { reader, ifNew }, trail)
    trail.every(at, new RegExp(`(?:^|/)(?:patches|\\.yarn/patches)/[^/]*${nameOf(name).replace(/[^\w-]/g, '.')}`), {
      reader,
      ifNew,
    })
    trail.file(joined(at, `node_modules/.bin/${nameOf(name)}`), { reader: 'npm', ifNew })
  }
}

/** Guards copies of packages that are committed: those of one package, or all where there were none. */
function guardInstalled(name: string, at: string, use: PlaceUse, trail: Trail): void {
  const modules = joined(at, 'node_modules')
  const hasCopies = trail.snapshot.matching(modules, INSTALLED).length > 0
  const ofNpm: PlaceUse = { ...use, reader: 'npm' }
  if (hasCopies) trail.every(joined(modules, name), INSTALLED, use)
  else trail.every(modules, INSTALLED, ofNpm)
  trail.file(modules, ofNpm)
}

/** Returns "free" where nothing of the kind existed: tests that were never there cannot be weakened. */
function ifNew(tool: NodeTool, step: Step, trail: Trail): PlaceUse['ifNew'] {
  const isTestRunner = !['tsc', 'eslint', 'biome', 'oxlint', 'prettier', null].includes(tool.kind)
  return isTestRunner && isWithoutTests(step, trail) ? 'free' : 'finding'
}

function followSettings(tool: NodeTool, step: Step, use: PlaceUse, trail: Trail): void {
  const named = optionValues(step.args, tool.options).map((value) => joined(step.folder, value))
  for (const path of named) {
    const folderConfigs = tool.configs.map((name) => joined(path, name))
    followFound(trail.first([path, ...folderConfigs], { ...use, ifNew: 'free' }), step, trail)
  }
  const first = { ...use, ifNew: tool.first === 'free' && !hasSettings(tool, step, trail) ? 'free' : use.ifNew }
  for (const folder of foldersUp(step.folder)) {
    if (named.length === 0 && tool.configs.length > 0)
      followFound(
        trail.first(
          tool.configs.map((name) => joined(folder, name)),
          first,
        ),
        step,
        trail,
      )
    for (const name of tool.extra) trail.file(joined(folder, name), use)
    for (const key of tool.keys) followEntry(joined(folder, 'package.json'), key, step, use, trail)
  }
  if (tool.isNested && tool.configs.length > 0) trail.every(step.folder, below([...tool.configs, ...tool.extra]), use)
}

function hasSettings({ configs, keys }: NodeTool, { folder }: Step, trail: Trail): boolean {
  return foldersUp(folder).some((at) => {
    const manifest = trail.snapshot.text(joined(at, 'package.json')) ?? ''
    return (
      configs.some((name) => trail.snapshot.has(joined(at, name))) ||
      keys.some((key) => jsonEntry(key)(manifest, trail.snapshot) !== null)
    )
  })
}

/** Matches paths of files with some names, in folders only: those at the top are places of their own. */
function below(names: readonly string[]): RegExp {
  return new RegExp(`/(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`)
}

function followEntry(manifest: string, key: string, step: Step, use: PlaceUse, trail: Trail): void {
  const text = trail.excerpt(manifest, key, jsonEntry(key), use)
  if (text !== null) followConfiguration(`${manifest}:${key}`, text, step, trail)
}

function followFound(file: string | null, step: Step, trail: Trail): void {
  const text = file === null ? null : trail.snapshot.text(file)
  if (file !== null && text !== null) followConfiguration(file, text, step, trail)
}

const INSTALLED = /(?:^|\/)node_modules\//

function isOptionFile(file: string, { args }: Step, { options }: NodeTool): boolean {
  return optionValues(args, options).includes(file)
}
