/** Message of the user about a task, and its delivery. */
export interface Steering {
  readonly number: number
  readonly text: string
  /** Round in which the agent got it, or null until then. */
  deliveredIn: number | null
  /** Turns of that round before the delivery; after one more turn the agent has read it. */
  turnsBefore: number
  /** Round whose agent could not accept it while working. */
  deferredIn: number | null
  /** True when the agent may have read it: the result of the last delivery is unknown. */
  mayBeDelivered: boolean
}

/** Appends messages of the user to a prompt. */
export function withSteering(prompt: string, steering: readonly Steering[]): string {
  return steering.length === 0 ? prompt : `${prompt}\n\n${steeringText(steering)}`
}

/** Formats messages of the user for an agent. */
export function steeringText(steering: readonly Pick<Steering, 'text' | 'mayBeDelivered'>[]): string {
  const messages = steering.map(({ text, mayBeDelivered }) => `${text}${mayBeDelivered ? `\n${DOUBT}` : ''}`)
  return `Message from the person who supervises this work:\n\n${messages.join('\n\n')}`
}

const DOUBT = '(You may have received this message before; if so, there is nothing new in it.)'
