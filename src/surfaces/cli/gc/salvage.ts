import { KEPT_SALVAGE_MS_MAX } from '../../../core/limits/limits.ts'
import { isExpired } from '../../../core/limits/retention.ts'
import { unwrap } from '../../../core/model/problem.ts'
import type { Freeable, Grounds } from './freeable.ts'

/** Salvaged work that nobody has asked for in a long time. */
export async function freeableSalvage({ place, at }: Grounds): Promise<readonly Freeable[]> {
  const { refs, forget } = unwrap(await place.salvage())
  return refs
    .filter(({ savedAt }) => isExpired('salvage', savedAt, at))
    .map((ref) => ({ what: 'salvage', name: ref.ref, why: WHY, size: null, free: () => forget(ref) }))
}

const WHY = `salvaged more than ${KEPT_SALVAGE_MS_MAX / 86_400_000} days ago`
