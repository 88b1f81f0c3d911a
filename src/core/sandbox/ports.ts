/** Ports inside of every sandbox at which the engine answers; no project is likely to use them. */
export const SANDBOX_PORTS = { proxy: 61_080, tools: 61_081, model: 61_082 } as const
