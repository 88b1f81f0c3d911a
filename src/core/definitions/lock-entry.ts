import { isRecord, valueAt } from './excerpts.ts'
import type { Extract } from './place.ts'

/** Lock files by name, each with the extract that finds one package in it. */
export const LOCK_FILES: Readonly<Record<string, (name: string) => Extract>> = {
  'package-lock.json': npmEntry,
  'npm-shrinkwrap.json': npmEntry,
  'pnpm-lock.yaml': (name) => blocks(new RegExp(`^  ['"]?/?${escaped(name)}[@/][^:(]*`), /^\s+resolution:/),
  'yarn.lock': (name) =>
    blocks(new RegExp(`^"?${escaped(name)}@`), /^\s+(?:version|resolved|resolution|integrity|checksum)\b/),
  'bun.lock': (name) => blocks(new RegExp(`^\\s+"${escaped(name)}": \\[`), /^$/),
  'poetry.lock': pythonEntry,
  'uv.lock': pythonEntry,
  'pdm.lock': pythonEntry,
}

// Flags like "dev" change with the other packages, so only what identifies the package counts.
function npmEntry(name: string): Extract {
  return (text, snapshot) => {
    const lock = snapshot.json(text)
    const entry = valueAt(lock, ['packages', `node_modules/${name}`]) ?? valueAt(lock, ['dependencies', name])
    if (!isRecord(entry)) return null
    const { version, resolved, integrity, link } = entry
    return JSON.stringify({ version, resolved, integrity, link })
  }
}

function pythonEntry(name: string): Extract {
  return (text) => {
    const matches = text
      .split(/^(?=\[\[package\]\])/m)
      .filter((block) => new RegExp(`^name = "${escaped(name)}"`, 'mi').test(block))
    const lines = matches.join('\n').split('\n')
    const kept = lines.filter((line) => /^(?:version|source|sdist)\b|hash/.test(line.trim()))
    return matches.length === 0 ? null : kept.join('\n')
  }
}

/** Extracts the headings that match, each with the lines that matter in its block. */
function blocks(heading: RegExp, line: RegExp): Extract {
  return (text) => {
    let isInside = false
    let indent = 0
    const kept = text.split('\n').flatMap((current) => {
      const match = heading.exec(current)
      if (match !== null) {
        isInside = true
        indent = current.search(/\S/)
        return [line.source === '^$' ? current.trim() : match[0].trim()]
      }
      if (current.trim() !== '' && current.search(/\S/) <= indent) isInside = false
      return isInside && line.test(current) ? [current.trim()] : []
    })
    return kept.length === 0 ? null : [...new Set(kept)].join('\n')
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
