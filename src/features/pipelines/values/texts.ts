import { isCanonicalDate, toCanonicalDate } from './dates.ts'

const ASCII = /^[\0-\x7f]*$/
/** Letters that the database does not fold: the dotless i, and some that Unicode has known for a short time only. */
const ALONE = /([ı\ua7ce\ua7d2\ua7d4\u{16ea0}-\u{16eb8}])/u

const foldedPart = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('ß', 'ss')

/** A text without regard to case: those that `foldPipelineText` of the database gives one text for have one here. */
export function foldPipelineText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  if (!ALONE.test(text)) return foldedPart(text)
  return text
    .split(ALONE)
    .map((part, nth) => (nth % 2 === 1 ? part : foldedPart(part)))
    .join('')
}

/** A text as it is searched: without regard to case unless exactly. */
export function foldTextUnlessExact(text: string, isExact: boolean): string {
  return isExact ? text : foldPipelineText(text)
}

/** Whether two texts are the same. What is a date as the service writes it is compared as one. */
export function isSameText(one: string, other: string, isExact: boolean): boolean {
  if (one === other) return true
  if (isCanonicalDate(one) || isCanonicalDate(other)) {
    const [first, second] = [toCanonicalDate(one), toCanonicalDate(other)]
    if (first !== null && second !== null) return first === second
  }
  return !isExact && foldPipelineText(one) === foldPipelineText(other)
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Compares texts by code points; units of JavaScript would put U+10000 and above before U+E000. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const [first, second] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (first === second) continue
    const [isFirst, isSecond] = [isSurrogate(first), isSurrogate(second)]
    return isFirst === isSecond ? first - second : isFirst ? 1 : -1
  }
  return one.length - other.length
}
