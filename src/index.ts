/** The shapes of what the command line prints with --json, for programs that read it. */
export { eventSchema } from './surfaces/protocol/event.ts'
export { doctorSchema, importSchema, refusalSchema } from './surfaces/protocol/outcome.ts'
export { statusSchema } from './surfaces/protocol/status.ts'
