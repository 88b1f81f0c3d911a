import type { Sandbox } from '../../ports/sandbox.ts'
import type { Containment } from '../../process/start/containment.ts'

/** Stands in where there is no sandbox: programs run as the user, and only end with the engine. */
export function noSandbox(containment: Containment, why: string): Sandbox {
  return { protection: { kind: 'none', why }, enclose: ({ env }) => ({ containment, env }) }
}
