import { formatCount } from '../../../lib/text/nouns.ts'
import type { RbmCard, RbmContent } from '../compose/rbm.ts'
import type { ComposedRcsSuggestion } from '../compose/suggestions.ts'

/*
 * What phones make of a message that can be sent. The widths, the heights, what fits beside media and the order in which
 * cards are cut are those that RBM publishes; characters a line, lines and the length of a text are estimates for the
 * usual font, as every phone has its own.
 */

type WarningType =
  | 'share-location-first'
  | 'text-long'
  | 'title-cut'
  | 'description-cut'
  | 'suggestions-hidden'
  | 'media-height'
  | 'alt-missing'

/** A warning about a message that can be sent. `pointer` is to the part of the action to change. */
export interface RcsWarning {
  type: WarningType
  message: string
  pointer: string
}

/** Characters of a text that are read without opening it. */
const FOLDED_TEXT_LENGTH = 300
/** Suggestions below a message that are seen without moving them. */
const MAX_VISIBLE_CHIPS = 4
const MAX_TITLE_LINES = 2
const PADDING_DP = 32
const TITLE_CHARACTER_DP = 8
const DESCRIPTION_CHARACTER_DP = 7
/** Width of cards by layout. Media next to a text take 128 of 300 DP. */
const CARD_WIDTH_DP = { SMALL: 120, MEDIUM: 232, VERTICAL: 300, HORIZONTAL: 172 } as const

/** Capacity of a card, by the height of its media. */
const CARD_CAPACITY = {
  TALL: { lines: 2, suggestions: 1 },
  MEDIUM: { lines: 4, suggestions: 2 },
  SHORT: { lines: 6, suggestions: 3 },
  none: { lines: 10, suggestions: 4 },
  beside: { lines: 4, suggestions: 4 },
} as const

const MEDIA_HEIGHTS = ['SHORT', 'MEDIUM', 'TALL'] as const
/** Cards of a carousel that are seen first: their height is that of all. */
const VISIBLE_CARDS = 2

interface PlacedCard {
  card: RbmCard
  /** Path in the content. */
  at: string
  layout: keyof typeof CARD_WIDTH_DP
  suggestions: readonly ComposedRcsSuggestion[]
}

/** Counts the lines of a text, with `perLine` characters per line. */
function countLines(text: string, perLine: number): number {
  return text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil([...line].length / perLine)), 0)
}

function getCardCapacity({ card: { media }, layout }: PlacedCard): (typeof CARD_CAPACITY)[keyof typeof CARD_CAPACITY] {
  if (!media) return CARD_CAPACITY.none
  return layout === 'HORIZONTAL' ? CARD_CAPACITY.beside : CARD_CAPACITY[media.height]
}

function findTextWarnings(placed: PlacedCard): RcsWarning[] {
  const { card, at, layout } = placed
  const width = CARD_WIDTH_DP[layout] - PADDING_DP
  const parts = [
    { name: 'title', perLine: Math.floor(width / TITLE_CHARACTER_DP), lines: MAX_TITLE_LINES },
    {
      name: 'description',
      perLine: Math.floor(width / DESCRIPTION_CHARACTER_DP),
      lines: getCardCapacity(placed).lines,
    },
  ] as const
  return parts.flatMap(({ name, perLine, lines }) => {
    const neededLines = countLines(card[name] ?? '', perLine)
    if (neededLines <= lines) return []
    const message = `The ${name} takes about ${neededLines} lines, but phones show ${lines} on this card and cut off the rest.`
    return [{ type: `${name}-cut` as const, message, pointer: `/content/${at}/${name}` }]
  })
}

function findSuggestionWarnings(placed: PlacedCard): RcsWarning[] {
  const { card, layout, suggestions } = placed
  const { title, description, media } = card
  const hasText = title !== undefined || description !== undefined
  const isFull = layout !== 'HORIZONTAL' && media?.height === 'TALL' && hasText
  const maxSuggestions = isFull ? 0 : getCardCapacity(placed).suggestions
  const hiddenSuggestion = suggestions[maxSuggestions]
  if (!hiddenSuggestion) return []
  const cardDescription = isFull ? 'tall media and a text' : `${media!.height.toLowerCase()} media`
  const message = `A card with ${cardDescription} has room for ${maxSuggestions === 0 ? 'no suggestions' : formatCount(maxSuggestions, 'suggestion')}. Phones may leave out the others.`
  return [{ type: 'suggestions-hidden', message, pointer: `/content/${hiddenSuggestion.path}` }]
}

function findMediaWarnings({ card: { media }, at, layout }: PlacedCard): RcsWarning[] {
  if (!media) return []
  const warnings: RcsWarning[] = []
  if (layout === 'HORIZONTAL' && media.height !== 'MEDIUM') {
    const message = `Media next to a text are as high as the card: ${media.height} has no effect.`
    warnings.push({ type: 'media-height', message, pointer: `/content/${at}/media/height` })
  }
  if (media.contentDescription === undefined) {
    const message = 'The media have no alt text, so screen readers cannot describe them.'
    warnings.push({ type: 'alt-missing', message, pointer: `/content/${at}/media/file/alt` })
  }
  return warnings
}

/** Media that are higher than those of the cards that give the carousel its height. */
function findCarouselWarnings(cards: readonly PlacedCard[]): RcsWarning[] {
  const getMediaHeight = ({ card: { media } }: PlacedCard): number => (media ? MEDIA_HEIGHTS.indexOf(media.height) : -1)
  const highestMedia = Math.max(...cards.slice(0, VISIBLE_CARDS).map(getMediaHeight))
  return cards.slice(VISIBLE_CARDS).flatMap((placed) => {
    if (getMediaHeight(placed) <= highestMedia) return []
    const message =
      'The first cards determine the height of a carousel, and these media are taller. Put the tallest card first.'
    return [{ type: 'media-height', message, pointer: `/content/${placed.at}/media/height` }]
  })
}

/** The cards of a message, with the suggestions on each. */
function listPlacedCards(message: RbmContent, suggestions: readonly ComposedRcsSuggestion[]): PlacedCard[] {
  if (!('richCard' in message)) return []
  const filterSuggestions = (at: string) => suggestions.filter(({ path }) => path.startsWith(`${at}/`))
  if ('standaloneCard' in message.richCard) {
    const { cardContent: card, cardOrientation: layout } = message.richCard.standaloneCard
    return [{ card, at: 'card', layout, suggestions: filterSuggestions('card') }]
  }
  const { cardContents, cardWidth: layout } = message.richCard.carouselCard
  return cardContents.map((card, index) => {
    const cardPath = `cards/${index}`
    return { card, at: cardPath, layout, suggestions: filterSuggestions(cardPath) }
  })
}

function findFirstChipWarnings([first]: readonly ComposedRcsSuggestion[]): RcsWarning[] {
  if (first?.type !== 'shareLocation') return []
  const message =
    'Notifications show only the first suggestion, and never one that shares a location. Put another suggestion first.'
  return [{ type: 'share-location-first', message, pointer: `/content/${first.path}` }]
}

function findMessageWarnings(message: RbmContent, suggestions: readonly ComposedRcsSuggestion[]): RcsWarning[] {
  const warnings: RcsWarning[] = []
  const textLength = 'text' in message ? [...message.text].length : 0
  if (textLength > FOLDED_TEXT_LENGTH) {
    const warningText = `The text has ${textLength} characters. Phones may collapse the text after about ${FOLDED_TEXT_LENGTH}.`
    warnings.push({ type: 'text-long', message: warningText, pointer: '/content/text' })
  }
  const hiddenSuggestion = suggestions.filter(({ path }) => path.startsWith('suggestions/'))[MAX_VISIBLE_CHIPS]
  if (hiddenSuggestion) {
    const warningText = `Phones show about ${MAX_VISIBLE_CHIPS} suggestions below a message. The others appear only after scrolling.`
    warnings.push({ type: 'suggestions-hidden', message: warningText, pointer: `/content/${hiddenSuggestion.path}` })
  }
  return warnings
}

/** Finds the parts of a composed message that phones cut, hide or ignore. `suggestions` holds those of its cards, then its own. */
export function findRcsWarnings(message: RbmContent, suggestions: readonly ComposedRcsSuggestion[]): RcsWarning[] {
  const cards = listPlacedCards(message, suggestions)
  return [
    ...findFirstChipWarnings(suggestions),
    ...findMessageWarnings(message, suggestions),
    ...cards.flatMap((card) => [
      ...findTextWarnings(card),
      ...findSuggestionWarnings(card),
      ...findMediaWarnings(card),
    ]),
    ...findCarouselWarnings(cards),
  ]
}
