import { isCanonicalDate, toCanonicalDate } from './dates.ts'

const ASCII_PATTERN = /^[\0-\x7f]*$/
/** Letters that the database does not fold: the dotless i, and some that Unicode has known for a short time only. */
const UNFOLDED_LETTERS_PATTERN = /([ı\ua7ce\ua7d2\ua7d4\u{16ea0}-\u{16eb8}])/u

const foldCase = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('ß', 'ss')

/** A text without regard to case: those that `foldPipelineText` of the database gives one text for have one here. */
export function foldPipelineText(text: string): string {
  if (ASCII_PATTERN.test(text)) return text.toLowerCase()
  if (!UNFOLDED_LETTERS_PATTERN.test(text)) return foldCase(text)
  return text
    .split(UNFOLDED_LETTERS_PATTERN)
    .map((part, nth) => (nth % 2 === 1 ? part : foldCase(part)))
    .join('')
}

/** A text as it is searched: without regard to case unless exactly. */
export function foldTextUnlessExact(text: string, isExact: boolean): string {
  return isExact ? text : foldPipelineText(text)
}

/** True if two texts are equal. Texts in the service's own date format are compared as dates. */
export function isSameText(firstText: string, secondText: string, isExact: boolean): boolean {
  if (firstText === secondText) return true
  if (isCanonicalDate(firstText) || isCanonicalDate(secondText)) {
    const [firstDate, secondDate] = [toCanonicalDate(firstText), toCanonicalDate(secondText)]
    if (firstDate !== null && secondDate !== null) return firstDate === secondDate
  }
  return !isExact && foldPipelineText(firstText) === foldPipelineText(secondText)
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Compares texts by code points; units of JavaScript would put U+10000 and above before U+E000. */
export function compareCodePoints(firstText: string, secondText: string): number {
  const length = Math.min(firstText.length, secondText.length)
  for (let unitIndex = 0; unitIndex < length; unitIndex++) {
    const [firstUnit, secondUnit] = [firstText.charCodeAt(unitIndex), secondText.charCodeAt(unitIndex)]
    if (firstUnit === secondUnit) continue
    const [isFirstSurrogate, isSecondSurrogate] = [isSurrogate(firstUnit), isSurrogate(secondUnit)]
    return isFirstSurrogate === isSecondSurrogate ? firstUnit - secondUnit : isFirstSurrogate ? 1 : -1
  }
  return firstText.length - secondText.length
}
