/** Marks of direction, joiners, blanks without width, soft hyphens: copies of texts bring them along, and nobody sees them. */
const INVISIBLE_CHARACTERS = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** A text without characters that nobody sees: for addresses and numbers, in which they mean nothing. */
export const stripInvisibleCharacters = (text: string): string => text.replace(INVISIBLE_CHARACTERS, '')

/** The first control or format character of a text, as Unicode names it: `U+200B`; undefined without one. */
export function findInvisibleCharacter(text: string): string | undefined {
  const [invisibleCharacter] = /[\p{Cc}\p{Cf}]/u.exec(text) ?? []
  return invisibleCharacter && `U+${invisibleCharacter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
