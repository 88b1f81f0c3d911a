import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Layer, Values } from './layers.ts'

/** The workflows that ship, as the layer under everything that is written. */
export function builtInWorkflows(): Layer {
  return { values: { workflows: read() }, sourceOf: () => ({ kind: 'default' }) }
}

let workflows: Values | null = null
// A tool's build holds no texts.
const HERE = import.meta.url.replace('/dist-tools/src/', '/src/')

function read(): Values {
  workflows ??= parse(readFileSync(new URL('./workflows.yaml', HERE), 'utf8')) as Values
  return workflows
}
