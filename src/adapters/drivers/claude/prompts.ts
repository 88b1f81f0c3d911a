import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk'
import { Channel } from './channel.ts'

/** What is said to an agent, in the order in which it is said, and what of it has been answered. */
export class Prompts implements AsyncIterable<SDKUserMessage> {
  readonly #uuid: () => string
  readonly #said = new Channel<SDKUserMessage>()
  readonly #unanswered = new Set<string>()

  constructor(uuid: () => string) {
    this.#uuid = uuid
  }

  /** Whether something was said that no result has answered yet. */
  get hasUnanswered(): boolean {
    return this.#unanswered.size > 0
  }

  say(text: string): void {
    const uuid = this.#uuid() as NonNullable<SDKUserMessage['uuid']>
    this.#unanswered.add(uuid)
    this.#said.tell({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, uuid })
  }

  /** Takes note of what a result answers; one that does not tell answers all. */
  answered(uuids: readonly string[] | undefined): void {
    if (uuids === undefined) this.#unanswered.clear()
    else for (const uuid of uuids) this.#unanswered.delete(uuid)
  }

  /** Nothing more will be said, which lets the agent go. */
  end(): void {
    this.#said.close()
  }

  [Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage, void> {
    return this.#said.listen()
  }
}
