import type { RcsCard, RcsFileContent, RcsMessageContent, RcsSuggestion } from './content-schemas.ts'

/** What a string must be, written or rendered. An empty one has no form. */
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

/** Whether a string holds anything of Liquid: what it renders to is known with the contact. */
export function hasLiquidSyntax(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/** The strings of an object that have rules. Dates may be written as numbers. */
function leavesOf(object: object, rules: Record<string, RcsTextRule>, path: string): RcsContentText[] {
  const values = object as Record<string, unknown>
  return Object.entries(rules).flatMap(([name, rule]) => {
    const value = values[name]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return { path: `${path}${name}`, template: String(value), rule }
  })
}

function fileLeaves(file: RcsFileContent, path: string): RcsContentText[] {
  return leavesOf(file, RCS_TEXT_RULES.file, path)
}

function linkName({ text, postback = '' }: RcsSuggestion): string | null {
  const name = [text, postback].find((one) => one.trim() !== '' && !hasLiquidSyntax(one))
  return name?.trim().slice(0, 80) ?? null
}

function suggestionLeaves(list: readonly RcsSuggestion[] | undefined, path: string): RcsContentText[] {
  return (list ?? []).flatMap((suggestion, index) => {
    const at = `${path}suggestions/${index}/`
    const own = leavesOf(suggestion, RCS_TEXT_RULES[suggestion.type], at)
    const isTracked = suggestion.type === 'openUrl' && suggestion.tracked !== false
    return [
      ...leavesOf(suggestion, RCS_TEXT_RULES.suggestion, at),
      ...own.map((leaf) =>
        isTracked && leaf.path === `${at}url` ? { ...leaf, link: { name: linkName(suggestion) } } : leaf,
      ),
    ]
  })
}

function cardLeaves({ media, suggestions, ...card }: RcsCard, path: string): RcsContentText[] {
  return [
    ...leavesOf(card, RCS_TEXT_RULES.card, path),
    ...(media ? fileLeaves(media.file, `${path}media/file/`) : []),
    ...suggestionLeaves(suggestions, path),
  ]
}

function bodyLeaves(content: RcsMessageContent): RcsContentText[] {
  switch (content.type) {
    case 'text':
      return leavesOf(content, RCS_TEXT_RULES.text, '')
    case 'file':
      return fileLeaves(content.file, 'file/')
    case 'card':
      return cardLeaves(content.card, 'card/')
    case 'carousel':
      return content.cards.flatMap((card, index) => cardLeaves(card, `cards/${index}/`))
  }
}

/** Every string of a content, in the order in which they are shown. */
export function listRcsContentTexts(content: RcsMessageContent): RcsContentText[] {
  return [...bodyLeaves(content), ...suggestionLeaves(content.suggestions, '')]
}
