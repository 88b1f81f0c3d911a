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

// Variables that lead installers of programs to their folder in the home, where that is not the home of the program itself.
const VARIABLES: Readonly<Record<string, string>> = {
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  NVM_DIR: '.nvm',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  RUSTUP_HOME: '.rustup',
  SDKMAN_DIR: '.sdkman',
  VOLTA_HOME: '.volta',
}

/** Returns the variables with which programs that are shown find their own parts in the user's home. */
export function toolchainVariables(
  home: string,
  env: Readonly<Record<string, string>>,
  shown: readonly string[],
): Readonly<Record<string, string>> {
  const entries = Object.entries(VARIABLES).map(([name, folder]) => [name, `${home}/${folder}`] as const)
  const isShown = (path: string) => shown.some((one) => one === path || one.startsWith(`${path}/`))
  return Object.fromEntries(entries.filter(([name, path]) => env[name] === undefined && isShown(path)))
}
