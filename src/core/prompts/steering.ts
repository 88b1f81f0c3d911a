/** Something a person said about a task, and how far it has got. */
export interface Steering {
  readonly number: number
  readonly text: string
  /** The round that it was given to the agent in; null: the agent has still to hear it. */
  givenIn: number | null
  /** The turns that the round had made by then; one more, and the agent has heard it. */
  turnsBefore: number
  /** The round whose agent could not take it while it worked. */
  keptIn: number | null
  /** Whether the agent may have heard it already: what came of the last time is not known. */
  isDoubtful: boolean
}

/** A prompt with a person's words at its end. */
export function withSteering(prompt: string, steering: readonly Steering[]): string {
  return steering.length === 0 ? prompt : `${prompt}\n\n${steeringText(steering)}`
}

/** A person's words as an agent hears them. */
export function steeringText(steering: readonly Pick<Steering, 'text' | 'isDoubtful'>[]): string {
  const said = steering.map(({ text, isDoubtful }) => `${text}${isDoubtful ? `\n${DOUBT}` : ''}`)
  return `A person who watches this work says:\n\n${said.join('\n\n')}`
}

const DOUBT = '(You may have been told this already; then there is nothing new in it.)'
