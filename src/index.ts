/** For programs that read what the command line prints with --json, and for editors that know longhaul.yaml. */
export { jsonSchema } from './config/schema.ts'
export { eventSchema } from './surfaces/protocol/event.ts'
export { doctorSchema, importSchema, refusalSchema } from './surfaces/protocol/outcome.ts'
export { statusSchema } from './surfaces/protocol/status.ts'
