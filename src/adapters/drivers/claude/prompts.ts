import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { AsyncQueue } from './async-queue.ts'

/** Prompts for an agent in order, and which of them have been answered. */
export class Prompts implements AsyncIterable<SDKUserMessage> {
  readonly #uuid: () => string
  readonly #queue = new AsyncQueue<SDKUserMessage>()
  readonly #unanswered = new Set<string>()

  constructor(uuid: () => string) {
    this.#uuid = uuid
  }

  /** True when a prompt has no answer yet. */
  get hasUnanswered(): boolean {
    return this.#unanswered.size > 0
  }

  say(text: string): void {
    const uuid = this.#uuid() as NonNullable<SDKUserMessage['uuid']>
    this.#unanswered.add(uuid)
    this.#queue.push({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, uuid })
  }

  /** Marks prompts as answered by a result; without ids, it answers all of them. */
  markAnswered(uuids: readonly string[] | undefined): void {
    if (uuids === undefined) this.#unanswered.clear()
    else for (const uuid of uuids) this.#unanswered.delete(uuid)
  }

  /** Closes the queue, which lets the agent exit. */
  end(): void {
    this.#queue.close()
  }

  [Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void> {
    return this.#queue.items()
  }
}
