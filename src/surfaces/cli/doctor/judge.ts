import { isProblem } from '../../../core/model/problem.ts'
import type { Settings } from '../../../core/model/settings.ts'
import { jsonIn } from '../../../core/reading/text.ts'
import { askJudge } from '../../../engine/ask-judge.ts'
import type { Repository } from '../../../ports/repository.ts'
import { VERIFY_CORNER } from '../verbs/verify.ts'
import type { World } from '../world.ts'
import { type Diagnosis, note, ok, warn } from './diagnosis.ts'

const TOKENS_MAX = 200

/** Asks the configured judge a small question; without an answer, runs continue without a judge. */
export async function examineJudge(
  world: World,
  repository: Repository,
  settings: Settings | null,
): Promise<readonly Diagnosis[]> {
  if (settings === null || settings.judge === null) return []
  const { judge, agent } = settings
  // A separate corner: an engine's judge may be working in the usual folder.
  const corner = `${VERIFY_CORNER}${world.pid}`
  const tools = await repository.openTools(world.clock, 'neither', { corner })
  if (isProblem(tools)) return [note('judge', `not checked: ${tools.message}`)]
  try {
    const { signal } = new AbortController()
    const answer = await askJudge(tools, { judge, agent }, { ...QUESTION, read: jsonIn }, signal, () => {})
    if (isProblem(answer)) return [warn('judge', `${answer.message} Runs continue without a judge.`, answer.hint)]
    return [ok('judge', `${judge.driver}, ${judge.model ?? 'default model'}: answers`)]
  } finally {
    await tools.close()
    await repository.removeCorner(corner)
  }
}

const QUESTION = {
  system: 'You answer with one JSON object and nothing else.',
  prompt: 'Are you there? Answer with {"ready": true}.',
  tokensMax: TOKENS_MAX,
}
