import { isProblem, type Problem } from '../core/model/problem.ts'
import { type Git, splitNul } from './git.ts'

/** Setting of git; a null value means the key has none, which counts as true. */
export interface Setting {
  readonly key: string
  readonly value: string | null
}

/** Reads all effective settings in order; the last one of a key wins. */
export async function readSettings(git: Git): Promise<readonly Setting[] | Problem> {
  const output = await git.run(['config', '--list', '-z', '--show-scope'])
  if (isProblem(output)) return output
  const parts = splitNul(output)
  return parts.flatMap((scope, index) => {
    const isPair = index % 2 === 0 && scope !== 'command'
    return isPair ? [settingFrom(parts[index + 1] ?? '')] : []
  })
}

/** Returns the settings that change how file contents are stored, which must be the same in every workspace. */
export function contentSettings(settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(({ key }) => CONTENT.test(key))
}

/** Formats settings as a git config file. */
export function settingsText(settings: readonly Setting[]): string {
  return settings.map(({ key, value }) => `${header(key)}\n\t${lastPart(key)}${valueText(value)}\n`).join('')
}

const CONTENT = /^(core\.(autocrlf|eol|safecrlf|excludesfile|attributesfile|checkroundtripencoding)|filter\..*)$/

function settingFrom(text: string): Setting {
  const end = text.indexOf('\n')
  return end < 0 ? { key: text, value: null } : { key: text.slice(0, end), value: text.slice(end + 1) }
}

function header(key: string): string {
  const [section = ''] = key.split('.', 1)
  const middle = key.slice(section.length + 1, Math.max(section.length + 1, key.lastIndexOf('.')))
  return middle === '' ? `[${section}]` : `[${section} "${middle.replaceAll(/["\\]/g, '\\$&')}"]`
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

function valueText(value: string | null): string {
  if (value === null) return ''
  const escaped = value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return ` = "${escaped}"`
}
