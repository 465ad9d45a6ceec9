import type { ProblemFault } from '../../lib/errors/problem.ts'
import { isLongerThan, normalizeFieldText } from '../contacts/values/text-value.ts'
import type { LocalizedFormText } from './form-schemas.ts'

/** The part of a BCP 47 tag that texts are distinguished by: `fr`, `en-GB`. */
const LANGUAGE_PATTERN = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i
const MAX_LANGUAGES = 50

/** Constraints of a text of a form. */
export interface FormTextRule {
  longest: number
  /** Line breaks and tabs are kept. */
  lines: boolean
  mayBeEmpty: boolean
}

/** The texts of a form by their member; the default texts of a new form are where it is made. */
export const formTextRules = {
  title: { longest: 200, lines: false, mayBeEmpty: false },
  introduction: { longest: 5000, lines: true, mayBeEmpty: true },
  submitLabel: { longest: 100, lines: false, mayBeEmpty: false },
  successMessage: { longest: 5000, lines: true, mayBeEmpty: false },
} as const satisfies Record<string, FormTextRule>
export type FormTextName = keyof typeof formTextRules

export const formLabelRule: FormTextRule = { longest: 500, lines: false, mayBeEmpty: false }

function findTextFault(
  language: string,
  text: string,
  { longest, lines, mayBeEmpty }: FormTextRule,
): string | undefined {
  if (!LANGUAGE_PATTERN.test(language)) return 'is not a language: use "fr" or "en"'
  const normalizedText = normalizeFieldText(text, lines)
  if (normalizedText === undefined) return 'must not contain control characters'
  if (normalizedText === '' && !mayBeEmpty) return 'must not be blank'
  return isLongerThan(normalizedText, longest) ? `must have at most ${longest} characters` : undefined
}

/** Texts by language as they are kept: trimmed, NFC, the languages in lower case. Faults are added with their pointers. */
export function parseFormTexts(
  inputTexts: LocalizedFormText,
  rule: FormTextRule,
  pointer: string,
  faults: ProblemFault[],
): LocalizedFormText {
  const entries = Object.entries(inputTexts)
  if (entries.length === 0) faults.push({ pointer, detail: 'requires a text in at least one language' })
  if (entries.length > MAX_LANGUAGES) faults.push({ pointer, detail: `must have at most ${MAX_LANGUAGES} languages` })
  for (const [language, text] of entries) {
    const detail = findTextFault(language, text, rule)
    if (detail !== undefined) faults.push({ pointer: `${pointer}/${language.slice(0, 50)}`, detail })
  }
  return Object.fromEntries(
    entries.map(([language, text]) => [language.toLowerCase(), normalizeFieldText(text, rule.lines) ?? '']),
  )
}

/** The text in a language, `fr` also from `fr-ca`; else in English, else the first there is. */
export function selectFormText(texts: LocalizedFormText, language: string): string {
  const languageTags = Object.keys(texts)
  const findByLanguage = (languageTag: string) =>
    languageTags.find((name) => name === languageTag || name.startsWith(`${languageTag}-`))
  return texts[findByLanguage(language) ?? findByLanguage('en') ?? languageTags[0] ?? ''] ?? ''
}
