import { foldUnicodeCase } from '../../../lib/text/fold.ts'

const COMMON_COUNT = 10_000
/** The minimum number of characters of a password without the digits and signs that people put around a word. */
export const MIN_PASSWORD_CORE_LENGTH = 6

/** Letters that people write as digits and signs. A one stands for two of them. */
const SWAPPED_LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
  '€': 'e',
}

function removeMarks(text: string): string {
  return foldUnicodeCase(text.normalize('NFKD').replace(/\p{M}+/gu, ''))
}

const removeSigns = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '')

function undoSwaps(text: string, letterForOne: string): string {
  return removeSigns(text.replaceAll(/[1|]/g, letterForOne).replaceAll(/./gsu, (sign) => SWAPPED_LETTERS[sign] ?? sign))
}

const TRAILING_SIGNS = /(?<![^\p{L}])[^\p{L}]+$/u

/** `abc` of `abcabcabc`. */
function findRepeatedUnit(text: string): string {
  const unitLength = text === '' ? 0 : `${text}${text}`.indexOf(text, 1)
  return text.slice(0, unitLength)
}

/**
 * Extracts the possible words of a password: without case, accents, signs, swapped letters, repetitions, and the digits and signs at its
 * ends, which may also be swapped letters of it.
 */
function extractCores(password: string): string[] {
  const text = removeMarks(password)
  const withoutLeadingSigns = text.replace(/^[^\p{L}]+/u, '')
  const innerText = withoutLeadingSigns.replace(TRAILING_SIGNS, '')
  const withoutTrailingSigns = text.replace(TRAILING_SIGNS, '')
  return [innerText, withoutTrailingSigns, withoutLeadingSigns, text]
    .flatMap((variant) => [removeSigns(variant), undoSwaps(variant, 'i'), undoSwaps(variant, 'l')])
    .map(findRepeatedUnit)
}

async function loadCommonCores(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const commonWords = dictionary['passwords-common'].slice(0, COMMON_COUNT)
  return new Set(commonWords.filter((word) => word.length >= MIN_PASSWORD_CORE_LENGTH))
}

/**
 * Returns whether a password is a common one, or hardly a word, with the usual around and within it: `P4ssw0rd2026!`. `email`: its name
 * counts as a common word. A sentence never counts as one, whatever its words are.
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const passwordCores = extractCores(password)
  if (passwordCores.some((core) => [...core].length < MIN_PASSWORD_CORE_LENGTH)) return true
  const commonCores = await loadCommonCores()
  const emailCores = [email, email.slice(0, email.lastIndexOf('@'))].flatMap(extractCores)
  return passwordCores.some((core) => commonCores.has(core) || emailCores.includes(core))
}
