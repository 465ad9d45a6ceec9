import type { RcsCard, RcsFileContent, RcsMessageContent, RcsSuggestion } from './content-schemas.ts'

/** Rule for a string, written or rendered. The form does not apply to an empty string. */
export interface RcsTextRule {
  /** Empty is not allowed. */
  isRequired?: true
  /** Characters. */
  limit?: number
  form?: 'https' | 'web' | 'phone' | 'date'
}

/** One string of a content, where it stands in it: `card/suggestions/0/text`. */
export interface RcsContentText {
  path: string
  template: string
  rule: RcsTextRule
  /** A tracked address. `name`: of its link; null: its number. */
  link?: { name: string | null }
}

/** Characters of an address that a suggestion opens. */
export const RCS_URL_MAX_LENGTH = 2048

/** The rules of the strings of a content, by what they are of and their names. */
export const RCS_TEXT_RULES = {
  text: { text: { isRequired: true, limit: 3072 } },
  card: { title: { limit: 200 }, description: { limit: 2000 } },
  file: {
    url: { isRequired: true, form: 'https' },
    thumbnailUrl: { form: 'https' },
    fileName: { isRequired: true },
    thumbnailName: {},
    alt: { limit: 500 },
  },
  suggestion: {
    text: { isRequired: true, limit: 25 },
    postback: { limit: 1900 },
    fallbackUrl: { form: 'web', limit: RCS_URL_MAX_LENGTH },
  },
  reply: {},
  openUrl: { url: { isRequired: true, form: 'web', limit: RCS_URL_MAX_LENGTH }, description: {} },
  dial: { phoneNumber: { isRequired: true, form: 'phone' } },
  viewLocation: { label: {}, query: { isRequired: true } },
  shareLocation: {},
  createCalendarEvent: {
    startTime: { isRequired: true, form: 'date' },
    endTime: { isRequired: true, form: 'date' },
    title: { isRequired: true, limit: 100 },
    description: { limit: 500 },
  },
  compose: { phoneNumber: { isRequired: true, form: 'phone' }, message: { isRequired: true } },
} as const satisfies Record<string, Record<string, RcsTextRule>>

/** Returns true if a string contains Liquid, so that its rendered value depends on the contact. */
export function hasLiquidSyntax(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/** The strings of an object that have rules. Dates may be written as numbers. */
function listRuledTexts(object: object, rules: Record<string, RcsTextRule>, path: string): RcsContentText[] {
  const values = object as Record<string, unknown>
  return Object.entries(rules).flatMap(([name, rule]) => {
    const value = values[name]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return { path: `${path}${name}`, template: String(value), rule }
  })
}

function listFileTexts(file: RcsFileContent, path: string): RcsContentText[] {
  return listRuledTexts(file, RCS_TEXT_RULES.file, path)
}

function chooseLinkName({ text, postback = '' }: RcsSuggestion): string | null {
  const name = [text, postback].find((candidateName) => candidateName.trim() !== '' && !hasLiquidSyntax(candidateName))
  return name?.trim().slice(0, 80) ?? null
}

function listSuggestionTexts(list: readonly RcsSuggestion[] | undefined, path: string): RcsContentText[] {
  return (list ?? []).flatMap((suggestion, index) => {
    const suggestionPath = `${path}suggestions/${index}/`
    const typeTexts = listRuledTexts(suggestion, RCS_TEXT_RULES[suggestion.type], suggestionPath)
    const isTracked = suggestion.type === 'openUrl' && suggestion.tracked !== false
    return [
      ...listRuledTexts(suggestion, RCS_TEXT_RULES.suggestion, suggestionPath),
      ...typeTexts.map((leaf) =>
        isTracked && leaf.path === `${suggestionPath}url`
          ? { ...leaf, link: { name: chooseLinkName(suggestion) } }
          : leaf,
      ),
    ]
  })
}

function listCardTexts({ media, suggestions, ...card }: RcsCard, path: string): RcsContentText[] {
  return [
    ...listRuledTexts(card, RCS_TEXT_RULES.card, path),
    ...(media ? listFileTexts(media.file, `${path}media/file/`) : []),
    ...listSuggestionTexts(suggestions, path),
  ]
}

function listBodyTexts(content: RcsMessageContent): RcsContentText[] {
  switch (content.type) {
    case 'text':
      return listRuledTexts(content, RCS_TEXT_RULES.text, '')
    case 'file':
      return listFileTexts(content.file, 'file/')
    case 'card':
      return listCardTexts(content.card, 'card/')
    case 'carousel':
      return content.cards.flatMap((card, index) => listCardTexts(card, `cards/${index}/`))
  }
}

/** Every string of a content, in the order in which they are shown. */
export function listRcsContentTexts(content: RcsMessageContent): RcsContentText[] {
  return [...listBodyTexts(content), ...listSuggestionTexts(content.suggestions, '')]
}
