import { packageFile } from '../../../package/package-file.ts'

/** Returns the path of the agent's built program. */
export function agentFile(): string {
  return packageFile('dist/adapters/drivers/scripted/agent-main.js')
}
