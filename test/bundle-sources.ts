import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { packageFile } from '../src/package/package-file.ts'

/** Bundles modules of src ("process/start/launch") from the current sources, not the last build, into a package's dist. */
export async function bundleSources(folder: string, ...modules: readonly string[]): Promise<void> {
  const input = Object.fromEntries(modules.map((name) => [name, packageFile(`src/${name}.ts`)]))
  const bundled = await rolldown({ input, platform: 'node' })
  await bundled.write({ dir: join(folder, 'dist'), format: 'esm' })
  await bundled.close()
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}
