import { isProblem } from '../../../core/model/problem.ts'
import { isShutIn } from '../../../core/model/protection.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { protectionText } from '../../../core/views/protection-text.ts'
import type { Repository } from '../../../ports/repository.ts'
import type { World } from '../world.ts'
import { bad, type Diagnosis, ok, warn } from './diagnosis.ts'

/** Opens the sandbox that the settings ask for, and tries to get out of it. */
export async function examineSandbox(
  world: World,
  repository: Repository,
  settings: Settings | null,
): Promise<readonly Diagnosis[]> {
  const tools = await repository.openTools(
    world.clock,
    'neither',
    settings === null ? {} : { sandbox: settings.sandbox },
  )
  if (isProblem(tools)) return tools.code === 'no-sandbox' ? [bad('sandbox', tools)] : []
  try {
    const { protection } = tools
    if (protection.kind === 'none') return [warn('sandbox', protectionText(protection), INSTALL)]
    if (!isShutIn(protection)) return [warn('sandbox', protectionText(protection), 'Set sandbox.level to standard.')]
    const escapes = await tools.trySandbox()
    if (escapes.length === 0) return [ok('sandbox', `${protection.level}, tried: a program in it did not get out`)]
    const message = `A program in the sandbox (${protection.level}) can ${escapes.join(', ')}.`
    return [bad('sandbox', { message, hint: 'Please report this, with the version of bubblewrap and of the kernel.' })]
  } finally {
    await tools.close()
  }
}

const INSTALL = 'Install bubblewrap 0.8 or newer and allow user namespaces; see docs/guides/sandbox.md.'
