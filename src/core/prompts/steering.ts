/** Something a person said about a task, and how far it has got. */
export interface Steering {
  readonly number: number
  readonly text: string
  /** The round that it was given to the agent in; null: the agent has still to hear it. */
  givenIn: number | null
  /** Whether the agent may have heard it already: what came of the last time is not known. */
  isDoubtful: boolean
}

/** A prompt with a person's words at its end. */
export function withSteering(prompt: string, steering: readonly Steering[]): string {
  if (steering.length === 0) return prompt
  const said = steering.map(({ text, isDoubtful }) => `${text}${isDoubtful ? `\n${DOUBT}` : ''}`)
  return `${prompt}\n\nA person who watches this work says:\n\n${said.join('\n\n')}`
}

const DOUBT = '(You may have been told this already; then there is nothing new in it.)'
