const REGISTRY_HOSTS = {
  node: ['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com'],
  python: ['pypi.org', 'files.pythonhosted.org'],
  go: ['proxy.golang.org', 'sum.golang.org'],
  rust: ['index.crates.io', 'static.crates.io', 'crates.io'],
} as const

/** Stack whose packages come from a known registry. */
export type RegistryStack = keyof typeof REGISTRY_HOSTS

/** Returns the hosts that packages of these stacks are downloaded from. */
export function registryHosts(stacks: readonly RegistryStack[]): readonly string[] {
  return [...new Set(stacks)].flatMap((stack) => REGISTRY_HOSTS[stack])
}
