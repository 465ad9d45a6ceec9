import { MAX_RCS_MESSAGE_BYTES } from '../../../gateways/rcs-message.ts'
import type { RcsCard, RcsFileContent, RcsMessageContent } from '../content/content-schemas.ts'
import { findRcsWarnings, type RcsWarning } from '../content/content-warnings.ts'
import { RCS_TEXT_RULES } from '../content/leaves.ts'
import { pickPresentMembers, type RcsRenderedTexts, readRcsRenderedTexts, UnsendableRcsError } from './leaf-reader.ts'
import type { RbmCard, RbmContent, RbmFileContent } from './rbm.ts'
import { type ComposedRcsSuggestion, composeRcsSuggestions } from './suggestions.ts'

/** A message as RBM takes it, or the first thing in it that it would refuse. */
export type ComposedRcsContent =
  | { outcome: 'composed'; message: RbmContent; json: string; warnings: RcsWarning[] }
  | { outcome: 'failed'; message: string; pointer: string }

function composeFile({ url, forceRefresh }: RcsFileContent, at: string, leaves: RcsRenderedTexts): RbmFileContent {
  const rules = RCS_TEXT_RULES.file
  if (url === undefined)
    return {
      uploadedRbmFile: pickPresentMembers({
        fileName: leaves.read(`${at}/fileName`, rules.fileName),
        thumbnailName: leaves.optional(`${at}/thumbnailName`, rules.thumbnailName),
      }),
    }
  return {
    contentInfo: pickPresentMembers({
      fileUrl: leaves.read(`${at}/url`, rules.url),
      thumbnailUrl: leaves.optional(`${at}/thumbnailUrl`, rules.thumbnailUrl),
      forceRefresh,
    }),
  }
}

/** A list that is not sent when nothing is left of it. */
function listComposedSuggestions(suggestions: readonly ComposedRcsSuggestion[]): RbmContent['suggestions'] {
  return suggestions.length === 0 ? undefined : suggestions.map(({ composed }) => composed)
}

interface ComposedCard {
  card: RbmCard
  suggestions: ComposedRcsSuggestion[]
}

function composeCard(card: RcsCard, number: number, at: string, leaves: RcsRenderedTexts): ComposedCard {
  const { media } = card
  const title = leaves.optional(`${at}/title`, RCS_TEXT_RULES.card.title)
  const description = leaves.optional(`${at}/description`, RCS_TEXT_RULES.card.description)
  if (title === undefined && description === undefined && !media)
    throw new UnsendableRcsError(`/content/${at}`, 'The rendered card must have a title, a description or media.')
  const suggestions = composeRcsSuggestions(card.suggestions, { path: `${at}/`, card: number }, leaves)
  return {
    card: pickPresentMembers({
      title,
      description,
      media: media && {
        height: media.height,
        ...pickPresentMembers({ contentDescription: leaves.optional(`${at}/media/file/alt`, RCS_TEXT_RULES.file.alt) }),
        ...composeFile(media.file, `${at}/media/file`, leaves),
      },
      suggestions: listComposedSuggestions(suggestions),
    }),
    suggestions,
  }
}

/** The message without its own suggestions, and those of its cards. */
function composeBody(
  content: RcsMessageContent,
  leaves: RcsRenderedTexts,
): { body: RbmContent; suggestions: ComposedRcsSuggestion[] } {
  switch (content.type) {
    case 'text':
      return { body: { text: leaves.read('text', RCS_TEXT_RULES.text.text) }, suggestions: [] }
    case 'file':
      leaves.optional('file/alt', RCS_TEXT_RULES.file.alt)
      return { body: composeFile(content.file, 'file', leaves), suggestions: [] }
    case 'card': {
      const { orientation, alignment } = content
      const { card, suggestions } = composeCard(content.card, 0, 'card', leaves)
      const isAligned = orientation === 'HORIZONTAL' && alignment !== undefined
      return {
        body: {
          richCard: {
            standaloneCard: {
              cardOrientation: orientation,
              ...(isAligned && { thumbnailImageAlignment: alignment }),
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

function composeMessage(content: RcsMessageContent, leaves: RcsRenderedTexts): ComposedRcsContent {
  const { body, suggestions: cardSuggestions } = composeBody(content, leaves)
  const messageSuggestions = composeRcsSuggestions(content.suggestions, { path: '' }, leaves)
  const suggestions = listComposedSuggestions(messageSuggestions)
  const persistent = content.type === 'text' && content.persistent && suggestions ? (true as const) : undefined
  const message: RbmContent = { ...body, ...pickPresentMembers({ suggestions, persistent }) }
  const json = JSON.stringify(message)
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_RCS_MESSAGE_BYTES)
    throw new UnsendableRcsError(
      '/content',
      `The rendered message has ${bytes} bytes; at most ${MAX_RCS_MESSAGE_BYTES} can be sent.`,
    )
  return {
    outcome: 'composed',
    message,
    json,
    warnings: findRcsWarnings(message, [...cardSuggestions, ...messageSuggestions]),
  }
}

/** One message from its rendered strings. `parts`: them, by the names of their parts; `stamp`: its UUID. */
export function composeRcsContent(
  content: RcsMessageContent,
  stamp: string,
  parts: (name: string) => string,
): ComposedRcsContent {
  try {
    return composeMessage(content, readRcsRenderedTexts(stamp, parts))
  } catch (error) {
    if (!(error instanceof UnsendableRcsError)) throw error
    return { outcome: 'failed', message: error.message, pointer: error.pointer }
  }
}
