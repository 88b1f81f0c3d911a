/** Where a long text comes in when a prompt is sent. */
export function textPlaceholder(digest: string): string {
  return `[text ${digest}]`
}

/** The digests of the texts that have a place in a prompt. */
export function textDigestsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/\[text ([0-9a-f]{64})\]/g)].flatMap(([, digest]) => digest ?? [])
}

/** Puts texts in the places that their digests hold. */
export function insertTexts(prompt: string, texts: ReadonlyMap<string, string>): string {
  return [...texts].reduce((filled, [digest, text]) => filled.split(textPlaceholder(digest)).join(text), prompt)
}
