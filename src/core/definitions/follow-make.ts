import { folderOf, foldersUp, joined } from './paths.ts'
import { neededRecipes, parseRecipes, recipeCommands, sharedBy } from './recipes.ts'
import { optionValues, plainArguments } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'
import { matcher } from './workspaces.ts'

/** Follows make to the rules of its targets; other rules of the file may change. */
export const followMake: Follower = (step, trail) => {
  const folder = optionValues(step.args, ['-C', '--directory']).reduce(joined, step.folder)
  const named = optionValues(step.args, ['-f', '--file', '--makefile']).map((file) => joined(folder, file))
  const targets = plainArguments(step.args, MAKE_OPTIONS).filter((word) => !word.includes('='))
  const hasMakefile = trail.snapshot.has(joined(folder, 'makefile')) || trail.snapshot.has(joined(folder, 'Makefile'))
  const usual = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => joined(folder, name))
  if (named.length === 0) guardNames(usual, hasMakefile, trail)
  const used = named.length > 0 ? named : usual.filter((file) => trail.snapshot.has(file)).slice(0, 1)
  for (const file of used.length > 0 ? used : usual.slice(-1)) {
    followRecipes(file, targets, { ...step, folder }, trail)
    guardTargets(file, targets, folder, trail)
  }
}

/** Follows just to its recipes. */
export const followJust: Follower = (step, trail) => {
  const [named] = optionValues(step.args, ['-f', '--justfile'])
  const targets = plainArguments(step.args, ['-f', '--justfile', '-d', '--working-directory', '--set'])
  const names = foldersUp(step.folder).flatMap((at) =>
    ['justfile', 'Justfile', '.justfile'].map((name) => joined(at, name)),
  )
  const file = named === undefined ? names.find((name) => trail.snapshot.has(name)) : joined(step.folder, named)
  if (file !== undefined) followRecipes(file, targets, { ...step, folder: folderOf(file) }, trail)
}

// The first of the three names wins, so a new file replaces an old one without touching it.
function guardNames(files: readonly string[], isDefined: boolean, trail: Trail): void {
  const used = files.findIndex((file) => trail.snapshot.has(file))
  for (const file of files.slice(0, Math.max(0, used)))
    trail.file(file, { reader: 'make', ifNew: isDefined ? 'finding' : 'free' })
}

function followRecipes(file: string, targets: readonly string[], step: Step, trail: Trail): void {
  const guarded = (text: string) => {
    const parsed = parseRecipes(text)
    const names = neededRecipes(parsed, targets)
    const rules = names.map((name) => [name, parsed.recipes.get(name)])
    return rules.length === 0 && parsed.includes.length === 0 ? null : JSON.stringify([sharedBy(parsed, names), rules])
  }
  const what = targets.length === 0 ? 'the first rule' : targets.join(' ')
  const text = trail.excerpt(file, what, guarded, { reader: step.program, ifNew: 'free' })
  const whole = text === null ? null : trail.snapshot.text(file)
  if (whole === null) return
  const parsed = parseRecipes(whole)
  for (const included of parsed.includes) {
    const plain = included.replace(/^\$\(wildcard|\)$/g, '')
    const path = joined(folderOf(file), plain)
    const files = plain.includes('*')
      ? trail.every('', matcher(path), { reader: step.program, ifNew: 'finding' })
      : [path]
    if (!plain.includes('$')) for (const at of files) includeFile(at, targets, step, trail)
  }
  for (const name of neededRecipes(parsed, targets)) {
    const recipe = parsed.recipes.get(name)
    // Each line is a shell of its own.
    for (const command of recipe === undefined ? [] : recipeCommands(parsed, recipe))
      trail.follow(command, { ...step, script: file })
  }
}

/** Guards targets against files of their names, because make does not run what is up to date. */
function guardTargets(file: string, targets: readonly string[], folder: string, trail: Trail): void {
  const phonyOf = (text: string) => {
    const parsed = parseRecipes(text)
    const names = neededRecipes(parsed, targets).filter((name) => parsed.phony.has(name))
    return names.length === 0 ? null : names.sort().join('\n')
  }
  trail.excerpt(file, 'the list of phony targets', phonyOf, { reader: 'make', ifNew: 'free', mayGrow: true })
  const parsed = parseRecipes(trail.snapshot.text(file) ?? '')
  for (const name of neededRecipes(parsed, targets)) {
    const path = joined(folder, name)
    if (parsed.phony.has(name) || trail.snapshot.has(path) || trail.snapshot.hasFolder(path)) continue
    trail.file(path, { reader: 'make', ifNew: 'finding' })
    trail.every(path, /./, { reader: 'make', ifNew: 'finding' })
  }
}

function includeFile(file: string, targets: readonly string[], step: Step, trail: Trail): void {
  trail.file(file, { reader: step.program, ifNew: 'finding' })
  if (trail.visit(`include ${file}`)) followRecipes(file, targets, step, trail)
}

const MAKE_OPTIONS = ['-C', '--directory', '-f', '--file', '--makefile', '-j', '-l', '-o', '-W', '-I']
