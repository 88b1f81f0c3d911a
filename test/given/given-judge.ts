import type { JudgeSettings } from '../../src/core/model/settings.ts'

/** A judge that is asked for summaries, and for opinions only where a test says so. */
export const JUDGE: JudgeSettings = {
  driver: 'ollama',
  model: 'small',
  url: 'http://127.0.0.1:9',
  key: null,
  timeoutMs: 30_000,
  opinions: false,
  quality: 0.7,
}
