/** Replaces the entities of XML by the characters that they stand for. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? entity
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= UNICODE_MAX ? String.fromCodePoint(code) : entity
  })
}

const UNICODE_MAX = 0x10ffff
const ENTITY = /&(#x[\da-f]+|#\d+|\w+);/gi
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
