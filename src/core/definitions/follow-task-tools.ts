import { isRecord, section, valueAt } from './excerpts.ts'
import { followModule } from './follow-module.ts'
import { foldersUp, joined } from './paths.ts'
import type { PlaceUse } from './place.ts'
import { optionValues, plainArguments } from './step-arguments.ts'
import type { Follower, Step, Trail } from './trail.ts'
import { matcher } from './workspaces.ts'

const FREE: PlaceUse = { reader: 'the check', ifNew: 'free' }
const GUARDED: PlaceUse = { reader: 'the check', ifNew: 'finding' }

/** Follows tox to its settings and to the commands in them. */
export const followTox: Follower = (step, trail) => {
  const settings = /^\[(?:tox|testenv|tool\.tox|tool:tox)\b/
  const [named] = optionValues(step.args, ['-c', '--conf'])
  const files = named === undefined ? ['tox.ini', 'tox.toml', 'setup.cfg', 'pyproject.toml'] : [named]
  // An earlier file replaces a later one.
  const used = files.findIndex((file) => (trail.snapshot.text(joined(step.folder, file)) ?? '').includes('tox'))
  for (const [at, file] of files.entries()) {
    const whole = file === 'tox.toml' ? (text: string) => text : section(settings)
    const text = trail.excerpt(joined(step.folder, file), 'the settings of tox', whole, at < used ? GUARDED : FREE)
    for (const command of toxCommands(text ?? '')) trail.follow(command, { ...step, script: file })
  }
}

/** Follows nox to its file. */
export const followNox: Follower = (step, trail) => {
  const [named = 'noxfile.py'] = optionValues(step.args, ['-f', '--noxfile'])
  const file = trail.file(joined(step.folder, named), { ...FREE, reader: 'nox' })
  const text = trail.snapshot.text(file)
  if (text === null) return
  if (trail.visit(`module ${file}`)) followModule(file, step, trail)
  for (const [, list = ''] of text.matchAll(/session\.run(?:_always)?\(([^)]*)\)/g)) {
    const words = [...list.matchAll(/["']([^"'\n]*)["']/g)].map(([, word = '']) => word)
    trail.follow(words.map((word) => `'${word}'`).join(' '), { ...step, script: file })
  }
}

/** Follows scripts that pdm, hatch and poe keep in pyproject.toml; anything else is a program. */
export const followPythonScripts: Follower = (step, trail) => {
  const words = step.program === 'poe' ? step.args : step.args.slice(1)
  if (step.program === 'hatch' && step.args[0] === 'test') return trail.follow('pytest', step)
  if (step.program !== 'poe' && step.args[0] !== 'run') return
  const name = (plainArguments(words)[0] ?? '').split(':').at(-1) ?? ''
  const heading = /^\[tool\.(?:pdm\.scripts|hatch\.envs|poe\b)/
  const text = trail.excerpt(joined(step.folder, 'pyproject.toml'), 'the scripts', section(heading), FREE)
  const escaped = name.replace(/[^\w-]/g, '')
  const [, , command] =
    new RegExp(`^["']?${escaped}["']?\\s*=\\s*(?:\\{.*?\\b(?:cmd|shell)\\s*=\\s*)?(["'])(.*?)\\1`, 'm').exec(
      text ?? '',
    ) ?? []
  trail.follow(command ?? words.map((word) => `'${word}'`).join(' '), step)
}

/** Follows runners of several npm scripts: npm-run-all, run-s, run-p, concurrently. */
export const followScriptRunner: Follower = (step, trail) => {
  for (const word of plainArguments(step.args, ['-n', '--names', '-c'])) {
    const name = word.replace(/^npm:/, '')
    const isCommand = /\s/.test(name)
    if (isCommand) trail.follow(name, step)
    else if (name.includes('*'))
      for (const script of scriptsLike(name, step, trail)) trail.follow(`npm run '${script}'`, step)
    else trail.follow(`npm run '${name}'`, step)
  }
}

/** Guards whole files, in a folder and above it. */
export function followWholeFiles(reader: string, names: readonly string[]): Follower {
  return ({ folder }, trail) => {
    for (const name of names)
      for (const at of foldersUp(folder)) trail.file(joined(at, name), { reader, ifNew: 'finding' })
  }
}

function scriptsLike(glob: string, { folder }: Step, trail: Trail): readonly string[] {
  const manifest = trail.snapshot.json(trail.snapshot.text(joined(folder, 'package.json')) ?? '')
  const scripts = valueAt(manifest, ['scripts'])
  return isRecord(scripts) ? Object.keys(scripts).filter((name) => matcher(glob.replace(/\*+/g, '*')).test(name)) : []
}

function toxCommands(text: string): readonly string[] {
  const lines = text.split('\n')
  const start = lines.flatMap((line, at) => (/^commands(?:_pre|_post)?\s*=/.test(line) ? [at] : []))
  return start.flatMap((at) => {
    const rest = lines.slice(at + 1)
    const end = rest.findIndex((line) => /^\[|^\w+\s*=/.test(line))
    const own = (lines[at] ?? '').replace(/^\w+\s*=\s*/, '')
    return [own, ...(end < 0 ? rest : rest.slice(0, end))]
      .map((line) => line.replace(/\{[^}]*\}|^-\s*/g, '').trim())
      .filter((line) => line !== '')
  })
}
