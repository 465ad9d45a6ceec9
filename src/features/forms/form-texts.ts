import type { Fault } from '../../lib/errors/problem.ts'
import { isLongerThan, readText } from '../contacts/values/text-value.ts'
import type { Texts } from './form-schemas.ts'

/** The part of a BCP 47 tag that texts are distinguished by: `fr`, `en-GB`. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i
const MAX_LANGUAGES = 50

/** What a text of a form may be. */
export interface TextRule {
  longest: number
  /** Line breaks and tabs are kept. */
  lines: boolean
  mayBeEmpty: boolean
}

/** The texts of a form by their member; the default texts of a new form are where it is made. */
export const textRules = {
  title: { longest: 200, lines: false, mayBeEmpty: false },
  introduction: { longest: 5000, lines: true, mayBeEmpty: true },
  submitLabel: { longest: 100, lines: false, mayBeEmpty: false },
  successMessage: { longest: 5000, lines: true, mayBeEmpty: false },
} as const satisfies Record<string, TextRule>
export type TextName = keyof typeof textRules

export const labelRule: TextRule = { longest: 500, lines: false, mayBeEmpty: false }

function faultOf(language: string, text: string, { longest, lines, mayBeEmpty }: TextRule): string | undefined {
  if (!LANGUAGE.test(language)) return 'is no language: write "fr" or "en"'
  const read = readText(text, lines)
  if (read === undefined) return 'must not hold control characters'
  if (read === '' && !mayBeEmpty) return 'must not be blank'
  return isLongerThan(read, longest) ? `must have at most ${longest} characters` : undefined
}

/** Texts by language as they are kept: trimmed, NFC, the languages in lower case. Faults are added with their pointers. */
export function readTexts(given: Texts, rule: TextRule, pointer: string, faults: Fault[]): Texts {
  const entries = Object.entries(given)
  if (entries.length === 0) faults.push({ pointer, detail: 'needs a text in at least one language' })
  if (entries.length > MAX_LANGUAGES) faults.push({ pointer, detail: `has at most ${MAX_LANGUAGES} languages` })
  for (const [language, text] of entries) {
    const detail = faultOf(language, text, rule)
    if (detail !== undefined) faults.push({ pointer: `${pointer}/${language.slice(0, 50)}`, detail })
  }
  return Object.fromEntries(
    entries.map(([language, text]) => [language.toLowerCase(), readText(text, rule.lines) ?? '']),
  )
}

/** The text in a language, `fr` also from `fr-ca`; else in English, else the first there is. */
export function textIn(texts: Texts, language: string): string {
  const names = Object.keys(texts)
  const of = (wanted: string) => names.find((name) => name === wanted || name.startsWith(`${wanted}-`))
  return texts[of(language) ?? of('en') ?? names[0] ?? ''] ?? ''
}
