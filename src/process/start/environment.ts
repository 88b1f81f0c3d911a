/** Builds a program's environment from a short list, the names requested for and additions; nothing else is inherited. */
export function buildEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const built: Record<string, string> = { TERM: 'dumb' }
  const requested = new Set(names)
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && !redirectsGit(name) && (requested.has(name) || isCommon(name))) built[name] = value
  }
  return Object.assign(built, extra)
}

/** True for variables that could turn git against another repository. */
export function redirectsGit(name: string): boolean {
  return name.startsWith('GIT_') && !GIT_SETTINGS.includes(name)
}

// Places where git finds the settings of the machine and of the user.
const GIT_SETTINGS = ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_ATTR_NOSYSTEM']

// The user, paths, language, folders of programs' settings, and the way to the network.
const COMMON: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  ...GIT_SETTINGS,
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
])

function isCommon(name: string): boolean {
  return COMMON.has(name) || name.startsWith('LC_')
}
