/** The environment of a started program: a short list, the names asked for, and what is added; never inherited. */
export function buildEnvironment(
  from: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const built: Record<string, string> = { TERM: 'dumb' }
  const asked = new Set(names)
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && !isGits(name) && (asked.has(name) || isCommon(name))) built[name] = value
  }
  return Object.assign(built, extra)
}

// Who and where the user is, how text is written, where programs keep their settings, and the way to the network.
const COMMON: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
])

function isCommon(name: string): boolean {
  return COMMON.has(name) || name.startsWith('LC_')
}

// A leaked GIT_DIR or GIT_INDEX_FILE turns every git command against another repository.
function isGits(name: string): boolean {
  return name.startsWith('GIT_')
}
