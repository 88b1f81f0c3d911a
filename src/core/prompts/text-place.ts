/** Where a long text comes in when a prompt is sent. */
export function textPlace(digest: string): string {
  return `[text ${digest}]`
}

/** The digests of the texts that have a place in a prompt. */
export function textsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/\[text ([0-9a-f]{64})\]/g)].flatMap(([, digest]) => digest ?? [])
}

/** Puts texts in the places that their digests hold. */
export function withTexts(prompt: string, texts: ReadonlyMap<string, string>): string {
  return [...texts].reduce((filled, [digest, text]) => filled.split(textPlace(digest)).join(text), prompt)
}
