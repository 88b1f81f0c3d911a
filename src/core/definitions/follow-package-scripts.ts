import { jsonEntry, linesThat } from './excerpts.ts'
import { foldersUp, joined } from './paths.ts'
import type { PlaceUse } from './place.ts'
import type { Position, Trail } from './trail.ts'

/** Follows a script of a package.json with its pre and post scripts. Returns false when there is no such script. */
export function packageScripts(script: string, folder: string, from: Position, trail: Trail): boolean {
  const manifest = joined(folder, 'package.json')
  const main = trail.excerpt(manifest, `scripts.${script}`, jsonEntry('scripts', script), {
    reader: 'npm',
    ifNew: 'free',
  })
  const use: PlaceUse = { reader: 'npm', ifNew: main === null ? 'free' : 'finding' }
  const around = [`pre${script}`, `post${script}`].map((name) => {
    return trail.excerpt(manifest, `scripts.${name}`, jsonEntry('scripts', name), use)
  })
  guardPackageTools(folder, use, trail)
  for (const text of [around[0], main, around[1]]) {
    if (typeof text === 'string') trail.follow(text, { ...from, folder, script: null, isInPackage: true })
  }
  return main !== null
}

/** Guards the settings of npm, pnpm, yarn and bun that change how scripts run. */
function guardPackageTools(folder: string, use: PlaceUse, trail: Trail): void {
  for (const at of foldersUp(folder)) {
    trail.excerpt(
      joined(at, '.npmrc'),
      'settings',
      linesThat((line) => !HARMLESS.test(line)),
      use,
    )
    trail.excerpt(
      joined(at, 'pnpm-workspace.yaml'),
      'script settings',
      linesThat((line) => PNPM_SETTINGS.test(line)),
      use,
    )
    trail.excerpt(
      joined(at, 'bunfig.toml'),
      'settings',
      linesThat(() => true),
      use,
    )
    trail.excerpt(joined(at, 'package.json'), 'packageManager', jsonEntry('packageManager'), { ...use, ifNew: 'free' })
    trail.every(joined(at, '.yarn'), /(?:^|\/)\.yarn\/(?:releases|plugins|sdks)\//, use)
    for (const name of ['.yarnrc.yml', '.yarnrc', '.pnpmfile.cjs', '.pnpmfile.mjs']) trail.file(joined(at, name), use)
  }
}

const HARMLESS =
  /^\s*(?:save-exact|save-prefix|fund|audit|engine-strict|package-lock|progress|loglevel|legacy-peer-deps|strict-peer-dependencies|auto-install-peers|update-notifier)\s*=/
const PNPM_SETTINGS =
  /^\s*(?:scriptShell|nodeOptions|shellEmulator|enablePrePostScripts|nodeVersion|useNodeVersion|pnpmfile)\s*:/
