/** Returns the folders that installed programs need, from the folders of PATH that would otherwise be hidden. */
export function toolchainsOf(
  path: string,
  home: string,
  isHidden: (folder: string) => boolean,
  hasFolder: (folder: string) => boolean,
): readonly string[] {
  const folders = path.split(':').filter((folder) => folder.startsWith('/') && isHidden(folder))
  return [...new Set(folders.flatMap((folder) => toolchainAt(folder.replace(/\/+$/, ''), home, hasFolder)))]
}

// Further folders that programs in these folders of the home need; the rest of the parent holds keys and caches.
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '.local/bin': ['.local/lib', '.local/share/claude', '.local/share/mise', '.local/share/pipx', '.local/share/uv'],
  '.cargo/bin': ['.rustup'],
  'go/bin': [],
  bin: [],
}

function toolchainAt(folder: string, home: string, hasFolder: (folder: string) => boolean): readonly string[] {
  const parts = folder.startsWith(`${home}/`) ? PARTS[folder.slice(home.length + 1)] : undefined
  if (parts !== undefined) return [folder, ...parts.map((part) => `${home}/${part}`)]
  const parent = folder.replace(/\/[^/]+$/, '')
  const isInstallation = ['lib', 'libexec', 'share', 'versions'].some((name) => hasFolder(`${parent}/${name}`))
  return [/\/(bin|sbin|shims)$/.test(folder) && isInstallation && parent !== home ? parent : folder]
}
