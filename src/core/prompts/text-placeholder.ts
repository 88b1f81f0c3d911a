/** Returns the placeholder of a long text, which is inserted when a prompt is sent. */
export function textPlaceholder(digest: string): string {
  return `[text ${digest}]`
}

/** Returns the digests of all placeholders in a prompt. */
export function textDigestsIn(prompt: string): readonly string[] {
  return [...prompt.matchAll(/\[text ([0-9a-f]{64})\]/g)].flatMap(([, digest]) => digest ?? [])
}

/** Replaces placeholders by their texts. */
export function insertTexts(prompt: string, texts: ReadonlyMap<string, string>): string {
  return [...texts].reduce((filled, [digest, text]) => filled.split(textPlaceholder(digest)).join(text), prompt)
}
