import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { packageFile } from '../package/package-file.ts'
import type { Layer, Values } from './layers.ts'

/** Built-in workflows, as the layer below everything written. */
export function builtInWorkflows(): Layer {
  return { values: { workflows: read() }, sourceOf: () => ({ kind: 'default' }) }
}

let workflows: Values | null = null

function read(): Values {
  workflows ??= parse(readFileSync(packageFile('src/config/workflows.yaml'), 'utf8')) as Values
  return workflows
}
