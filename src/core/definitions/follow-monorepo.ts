import { isRecord, jsonEntry, valueAt } from './excerpts.ts'
import { followNodeTool, guardPackage } from './follow-node-tool.ts'
import { packageScripts } from './follow-package-scripts.ts'
import { followMembers } from './follow-package-tool.ts'
import { NODE_TOOLS } from './node-tools.ts'
import { folderOf, joined, nameOf } from './paths.ts'
import type { PlaceUse } from './place.ts'
import { optionValues, plainArguments } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'

/** Follows turbo to its tasks in all packages. */
export const followTurbo: Follower = (step, trail) => {
  const filters = optionValues(step.args, ['--filter', '-F'])
  const tasks = plainArguments(step.args, ['--filter', '-F', '--concurrency', '--cwd']).filter((word) => word !== 'run')
  const use: PlaceUse = { reader: 'turbo', ifNew: 'finding' }
  guardPackage('turbo', step.folder, use, trail)
  for (const task of tasks) {
    for (const name of ['turbo.json', 'turbo.jsonc']) {
      for (const key of ['tasks', 'pipeline']) {
        trail.excerpt(joined(step.folder, name), `${key}.${task}`, jsonEntry(key, task), { ...use, ifNew: 'free' })
      }
    }
    trail.every(step.folder, /\/turbo\.jsonc?$/, use)
    packageScripts(task, step.folder, step, trail)
    followMembers(task, step.folder, filters, step, trail)
  }
}

/** Follows nx to its targets in all projects. */
export const followNx: Follower = (step, trail) => {
  const use: PlaceUse = { reader: 'nx', ifNew: 'finding' }
  guardPackage('nx', step.folder, use, trail)
  for (const target of nxTargets(step.args)) {
    for (const entry of [['targetDefaults', target], ['plugins'], ['tasksRunnerOptions']]) {
      trail.excerpt(joined(step.folder, 'nx.json'), entry.join('.'), jsonEntry(...entry), use)
    }
    for (const file of trail.snapshot.matching(step.folder, /(?:^|\/)project\.json$/))
      nxProject(file, target, step, trail)
    packageScripts(target, step.folder, step, trail)
    followMembers(target, step.folder, [], step, trail)
  }
}

/** Follows lerna to a script in all packages. */
export const followLerna: Follower = (step, trail) => {
  const [verb, script] = plainArguments(step.args, ['--scope', '--ignore'])
  if (verb === 'run' && script !== undefined)
    followMembers(script, step.folder, optionValues(step.args, ['--scope']), step, trail)
}

function nxTargets(args: readonly string[]): readonly string[] {
  const named = optionValues(args, ['-t', '--target', '--targets']).flatMap((value) => value.split(','))
  if (named.length > 0) return named
  const [first = '', second = ''] = plainArguments(args)
  return first === 'run' ? [second.split(':')[1] ?? ''] : [first]
}

function nxProject(file: string, target: string, step: Step, trail: Trail): void {
  const use: PlaceUse = { reader: 'nx', ifNew: 'free' }
  const text = trail.excerpt(file, `targets.${target}`, jsonEntry('targets', target), use)
  if (text === null) return
  const folder = folderOf(file)
  for (const name of ['vitest', 'jest', 'eslint', 'playwright', 'cypress']) {
    const tool = NODE_TOOLS[name]
    const isUsed = new RegExp(name === 'vitest' ? '@nx/(?:vite|vitest):' : `:?@nx/${name}:`).test(text)
    if (tool !== undefined && isUsed)
      followNodeTool(tool)({ ...step, folder, args: [], path: name, program: nameOf(name) }, trail)
  }
  const value = trail.snapshot.json(text)
  const options = valueAt(value, ['options'])
  const command = valueAt(value, ['command']) ?? (isRecord(options) ? options.command : undefined)
  const cwd = isRecord(options) && typeof options.cwd === 'string' ? options.cwd : step.folder
  if (typeof command === 'string') trail.follow(command, { ...step, folder: cwd, isInPackage: true })
}
