import { join } from 'node:path'
import type { LeasePlace } from '../../src/adapters/stores/lease.ts'

/** Folders of a lease, with all of its locks in one folder. */
export function leasePlace(folder: string): LeasePlace {
  return { stateFolder: folder, gitDir: folder, workspacesHome: join(folder, 'home') }
}
