/** A noun with its indefinite article: `an import`, `an RCS profile`. */
export function withArticle(noun: string): string {
  const beginsWithVowelSound = /^(?:[aeio]|u(?!ni|se)|[AEFHILMNORSX][A-Z])/.test(noun)
  return `${beginsWithVowelSound ? 'an' : 'a'} ${noun}`
}

/** The plural of a noun: `fields`, `categories`. */
export function pluralizeNoun(noun: string): string {
  return noun.replace(/(?<=[^aeiou])y$/, 'ie').replace(/$/, 's')
}

/** A number with its noun, in the singular after 1: `1 second`, `0 categories`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralizeNoun(noun)}`
}

const singularNouns: Readonly<Record<string, string>> = {
  items: 'item',
  characters: 'character',
  properties: 'property',
}

/** The message of a schema library, whose nouns are always plural, with the singular after 1: `fewer than 1 item`. */
export function singularizeAfterOne(message: string): string {
  return message.replace(
    /(?<![\d.])1 (items|characters|properties)\b/g,
    (_, noun: string) => `1 ${singularNouns[noun]}`,
  )
}
