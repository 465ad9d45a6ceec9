import { MAX_RCS_BYTES } from '../../../gateways/rcs-message.ts'
import type { RcsCard, RcsContent, RcsFile } from '../content/content-schemas.ts'
import { type RcsWarning, warningsOf } from '../content/content-warnings.ts'
import { RULES } from '../content/leaves.ts'
import { present, type RenderedLeaves, renderedLeaves, Unsendable } from './leaf-reader.ts'
import type { RbmCard, RbmContent, RbmFileContent } from './rbm.ts'
import { type ComposedSuggestion, composeSuggestions } from './suggestions.ts'

/** A message as RBM takes it, or the first thing in it that it would refuse. */
export type ComposedContent =
  | { outcome: 'composed'; message: RbmContent; json: string; warnings: RcsWarning[] }
  | { outcome: 'failed'; message: string; pointer: string }

function composeFile({ url, forceRefresh }: RcsFile, at: string, leaves: RenderedLeaves): RbmFileContent {
  const rules = RULES.file
  if (url === undefined)
    return {
      uploadedRbmFile: present({
        fileName: leaves.read(`${at}/fileName`, rules.fileName),
        thumbnailName: leaves.optional(`${at}/thumbnailName`, rules.thumbnailName),
      }),
    }
  return {
    contentInfo: present({
      fileUrl: leaves.read(`${at}/url`, rules.url),
      thumbnailUrl: leaves.optional(`${at}/thumbnailUrl`, rules.thumbnailUrl),
      forceRefresh,
    }),
  }
}

/** A list that is not sent when nothing is left of it. */
function listed(suggestions: readonly ComposedSuggestion[]): RbmContent['suggestions'] {
  return suggestions.length === 0 ? undefined : suggestions.map(({ composed }) => composed)
}

interface ComposedCard {
  card: RbmCard
  suggestions: ComposedSuggestion[]
}

function composeCard(card: RcsCard, number: number, at: string, leaves: RenderedLeaves): ComposedCard {
  const { media } = card
  const title = leaves.optional(`${at}/title`, RULES.card.title)
  const description = leaves.optional(`${at}/description`, RULES.card.description)
  if (title === undefined && description === undefined && !media)
    throw new Unsendable(`/content/${at}`, 'The rendered card must have a title, a description or media.')
  const suggestions = composeSuggestions(card.suggestions, { path: `${at}/`, card: number }, leaves)
  return {
    card: present({
      title,
      description,
      media: media && {
        height: media.height,
        ...present({ contentDescription: leaves.optional(`${at}/media/file/alt`, RULES.file.alt) }),
        ...composeFile(media.file, `${at}/media/file`, leaves),
      },
      suggestions: listed(suggestions),
    }),
    suggestions,
  }
}

/** The message without its own suggestions, and those of its cards. */
function composeBody(
  content: RcsContent,
  leaves: RenderedLeaves,
): { body: RbmContent; suggestions: ComposedSuggestion[] } {
  switch (content.type) {
    case 'text':
      return { body: { text: leaves.read('text', RULES.text.text) }, suggestions: [] }
    case 'file':
      leaves.optional('file/alt', RULES.file.alt)
      return { body: composeFile(content.file, 'file', leaves), suggestions: [] }
    case 'card': {
      const { orientation, alignment } = content
      const { card, suggestions } = composeCard(content.card, 0, 'card', leaves)
      const isBeside = orientation === 'HORIZONTAL' && alignment !== undefined
      return {
        body: {
          richCard: {
            standaloneCard: {
              cardOrientation: orientation,
              ...(isBeside && { thumbnailImageAlignment: alignment }),
              cardContent: card,
            },
          },
        },
        suggestions,
      }
    }
    case 'carousel': {
      const cards = content.cards.map((card, index) => composeCard(card, index, `cards/${index}`, leaves))
      return {
        body: { richCard: { carouselCard: { cardWidth: content.width, cardContents: cards.map(({ card }) => card) } } },
        suggestions: cards.flatMap(({ suggestions }) => suggestions),
      }
    }
  }
}

function composeMessage(content: RcsContent, leaves: RenderedLeaves): ComposedContent {
  const { body, suggestions: ofCards } = composeBody(content, leaves)
  const own = composeSuggestions(content.suggestions, { path: '' }, leaves)
  const suggestions = listed(own)
  const persistent = content.type === 'text' && content.persistent && suggestions ? (true as const) : undefined
  const message: RbmContent = { ...body, ...present({ suggestions, persistent }) }
  const json = JSON.stringify(message)
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_RCS_BYTES)
    throw new Unsendable('/content', `The rendered message has ${bytes} octets; at most ${MAX_RCS_BYTES} can be sent.`)
  return { outcome: 'composed', message, json, warnings: warningsOf(message, [...ofCards, ...own]) }
}

/** One message from its rendered strings. `parts`: them, by the names of their parts; `stamp`: its UUID. */
export function composeContent(content: RcsContent, stamp: string, parts: (name: string) => string): ComposedContent {
  try {
    return composeMessage(content, renderedLeaves(stamp, parts))
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error
    return { outcome: 'failed', message: error.message, pointer: error.pointer }
  }
}
