import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Problem, problem } from '../core/model/problem.ts'
import { fillTemplate, templateFaults } from '../core/prompts/fill-template.ts'
import { TEMPLATES, VARIABLES } from '../core/prompts/templates.ts'
import { unreadableReason } from '../core/reading/file-problems.ts'
import { nearestName } from '../core/reading/nearest-name.ts'
import { sourceText } from './layers.ts'
import type { LoadedSettings, WrongSettings } from './load.ts'

/** Folders of custom prompts. */
export interface PromptFolders {
  /** Root of the repository; file names in longhaul.yaml are relative to it. */
  readonly project: string
  /** Folder of the user, for all projects; its files are called NAME.md. */
  readonly user: string
}

/** Custom prompt and its file. */
export interface OwnPrompt {
  readonly name: string
  readonly file: string
  readonly text: string
}

/** Adds the prompts that settings name, and the user's below them, after validating every template. */
export function withPrompts(loaded: LoadedSettings, folders: PromptFolders): LoadedSettings | WrongSettings {
  const { prompts, problems } = ownPrompts(loaded, folders)
  const texts = Object.fromEntries(prompts.map(({ name, text }) => [name, text]))
  const wrong = [...problems, ...prompts.flatMap(faultsOf), ...unknownPrompts(loaded, Object.keys(texts))]
  if (wrong.length > 0) return { kind: 'wrong', problems: wrong }
  return { ...loaded, settings: { ...loaded.settings, prompts: texts } }
}

/** Reads the custom prompts that apply: the project's, and the user's below them. */
export function ownPrompts(
  { written, sourceOf }: LoadedSettings,
  { project, user }: PromptFolders,
): { readonly prompts: readonly OwnPrompt[]; readonly problems: readonly Problem[] } {
  const prompts = new Map<string, OwnPrompt>()
  const problems: Problem[] = []
  const take = (name: string, file: string, place: string) => {
    try {
      prompts.set(name, { name, file, text: readFileSync(file, 'utf8') })
    } catch (cause) {
      problems.push(unreadable(place, file, cause))
    }
  }
  for (const file of markdownIn(user)) take(basename(file, '.md'), join(user, file), join(user, file))
  for (const [name, file] of Object.entries(written.prompts)) {
    take(name, join(project, file), sourceText(sourceOf(['prompts', name])))
  }
  return { prompts: [...prompts.values()], problems }
}

function markdownIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'))
  } catch {
    return [] // most users have none
  }
}

function faultsOf({ file, text }: OwnPrompt): readonly Problem[] {
  const faults = templateFaults(text, VARIABLES).map(({ line, message }) => {
    return wrongPrompt(`${file}:${line}: ${message}.`, `Available variables: ${VARIABLES.join(', ')}.`)
  })
  if (faults.length > 0 || fillTemplate(text, ALL_GIVEN) !== '') return faults
  return [wrongPrompt(`${file}:1: the prompt is empty.`, 'Write what the agent should do, or remove the file.')]
}

const ALL_GIVEN = Object.fromEntries(VARIABLES.map((name) => [name, 'x']))

/** Finds phases whose prompt does not exist. */
function unknownPrompts({ written, sourceOf }: LoadedSettings, own: readonly string[]): readonly Problem[] {
  const names = [...new Set([...own, ...Object.keys(TEMPLATES)])]
  return Object.entries(written.workflows).flatMap(([weight, { phases }]) =>
    phases.flatMap(({ prompt }, index) => {
      if (prompt === null || names.includes(prompt)) return []
      const place = sourceText(sourceOf(['workflows', weight, 'phases', index, 'prompt']))
      const nearest = nearestName(prompt, names)
      const hint = nearest === null ? `Available prompts: ${names.join(', ')}.` : `Write "${nearest}" instead.`
      return [wrongPrompt(`${place}: there is no prompt "${prompt}".`, hint)]
    }),
  )
}

function unreadable(place: string, file: string, cause: unknown): Problem {
  return wrongPrompt(
    `${place}: the prompt ${file} cannot be read: ${unreadableReason(cause)}.`,
    'Fix the path or the file.',
  )
}

function wrongPrompt(message: string, hint: string): Problem {
  return problem({ code: 'prompt-wrong', message, hint, retry: 'person' })
}
