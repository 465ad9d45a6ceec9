import { foldUnicodeCase } from '../../../lib/text/fold.ts'

const COMMON = 10_000
/** The minimum number of characters of a password without the digits and signs that people put around a word. */
export const MIN_PASSWORD_CORE_LENGTH = 6

/** Letters that people write as digits and signs. A one stands for two of them. */
const SWAPS: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '!': 'i', '+': 't', '€': 'e' },
}

function withoutMarks(text: string): string {
  return foldUnicodeCase(text.normalize('NFKD').replace(/\p{M}+/gu, ''))
}

const withoutSigns = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, '')

function unswapped(text: string, one: string): string {
  return withoutSigns(text.replaceAll(/[1|]/g, one).replaceAll(/./gsu, (sign) => SWAPS[sign] ?? sign))
}

const SIGNS_AT_END = /(?<![^\p{L}])[^\p{L}]+$/u

/** `abc` of `abcabcabc`. */
function unitOf(text: string): string {
  const again = text === '' ? 0 : `${text}${text}`.indexOf(text, 1)
  return text.slice(0, again)
}

/**
 * What may be the word of a password: without case, accents, signs, swaps of letters, repetitions, and the digits and signs at its
 * ends, which may also be swapped letters of it.
 */
function coresOf(password: string): string[] {
  const text = withoutMarks(password)
  const bare = text.replace(/^[^\p{L}]+/u, '')
  const inner = bare.replace(SIGNS_AT_END, '')
  const started = text.replace(SIGNS_AT_END, '')
  return [inner, started, bare, text]
    .flatMap((one) => [withoutSigns(one), unswapped(one, 'i'), unswapped(one, 'l')])
    .map(unitOf)
}

async function commonest(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const words = dictionary['passwords-common'].slice(0, COMMON)
  return new Set(words.filter((word) => word.length >= MIN_PASSWORD_CORE_LENGTH))
}

/**
 * Returns whether a password is a common one, or hardly a word, with the usual around and within it: `P4ssw0rd2026!`. `email`: its name
 * counts as a common word. A sentence never counts as one, whatever its words are.
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const cores = coresOf(password)
  if (cores.some((core) => [...core].length < MIN_PASSWORD_CORE_LENGTH)) return true
  const common = await commonest()
  const emailCores = [email, email.slice(0, email.lastIndexOf('@'))].flatMap(coresOf)
  return cores.some((core) => common.has(core) || emailCores.includes(core))
}
