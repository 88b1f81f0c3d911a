import { fileURLToPath } from 'node:url'

/** The agent's compiled program: beside this file, or in dist when this file runs from the sources or a tool's build. */
export function agentFile(): string {
  const built = import.meta.url.replace(/\/(dist-tools\/)?src\/(?=drivers\/scripted\/[^/]+$)/, '/dist/')
  return fileURLToPath(new URL('./agent-main.js', built))
}
