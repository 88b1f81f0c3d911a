import { carriedProblem } from '../../../core/model/problem.ts'
import type { Store } from '../../../ports/store.ts'
import { bad, type Diagnosis, ok } from './diagnosis.ts'

const DAMAGE_SHOWN_MAX = 20

/** Compares everything in the state with its checksums. */
export async function examineStore(store: Store): Promise<readonly Diagnosis[]> {
  try {
    const { counts, damage } = await store.verify()
    const read = `${counts.events} events in ${counts.ledgers} ledgers, ${counts.blobs} texts, ${counts.receipts} receipts, ${counts.requests} requests and ${counts.runs} runs`
    if (damage.length === 0) return [ok('facts', `${read} match their checksums`)]
    const more = damage.length - DAMAGE_SHOWN_MAX
    const shown = damage.slice(0, DAMAGE_SHOWN_MAX).map((message) => bad('facts', { message, hint: '' }))
    const message = `${damage.length} of ${read} cannot be trusted${more > 0 ? `; ${more} are not listed` : ''}`
    return [...shown, bad('facts', { message, hint: HINT })]
  } catch (error) {
    const carried = carriedProblem(error)
    if (carried === null) throw error
    return [bad('facts', carried)]
  }
}

const HINT =
  'Nothing was changed. Move .git/longhaul away, and restore a backup with "longhaul import BACKUP"; without one, "longhaul recover" rebuilds what git knows.'
