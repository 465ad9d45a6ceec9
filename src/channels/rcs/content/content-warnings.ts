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

/** What there is to say of a message that can be sent. `pointer`: to what may be changed, in the action. */
export interface RcsWarning {
  type: WarningType
  message: string
  pointer: string
}

/** Characters of a text that are read without opening it. */
const TEXT_LENGTH = 300
/** Suggestions below a message that are seen without moving them. */
const CHIPS = 4
const TITLE_LINES = 2
const PADDING_DP = 32
const TITLE_DP = 8
const DESCRIPTION_DP = 7
/** Width of cards, by what they stand in; beside a text, media take 128 of 300 DP. */
const WIDTH_DP = { SMALL: 120, MEDIUM: 232, VERTICAL: 300, HORIZONTAL: 172 } as const

/** What a card has room for, by the height of its media. */
const ROOM = {
  TALL: { lines: 2, suggestions: 1 },
  MEDIUM: { lines: 4, suggestions: 2 },
  SHORT: { lines: 6, suggestions: 3 },
  none: { lines: 10, suggestions: 4 },
  beside: { lines: 4, suggestions: 4 },
} as const

const HEIGHTS = ['SHORT', 'MEDIUM', 'TALL'] as const
/** Cards of a carousel that are seen first: their height is that of all. */
const FIRST_CARDS = 2

interface PlacedCard {
  card: RbmCard
  /** Path in the content. */
  at: string
  layout: keyof typeof WIDTH_DP
  suggestions: readonly ComposedRcsSuggestion[]
}

/** Lines of a text where each takes so many characters. */
function linesOf(text: string, perLine: number): number {
  return text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil([...line].length / perLine)), 0)
}

function roomOf({ card: { media }, layout }: PlacedCard): (typeof ROOM)[keyof typeof ROOM] {
  if (!media) return ROOM.none
  return layout === 'HORIZONTAL' ? ROOM.beside : ROOM[media.height]
}

function textWarnings(placed: PlacedCard): RcsWarning[] {
  const { card, at, layout } = placed
  const width = WIDTH_DP[layout] - PADDING_DP
  const parts = [
    { name: 'title', perLine: Math.floor(width / TITLE_DP), lines: TITLE_LINES },
    { name: 'description', perLine: Math.floor(width / DESCRIPTION_DP), lines: roomOf(placed).lines },
  ] as const
  return parts.flatMap(({ name, perLine, lines }) => {
    const needed = linesOf(card[name] ?? '', perLine)
    if (needed <= lines) return []
    const message = `The ${name} takes about ${needed} lines, and phones show ${lines} on this card: it will be cut.`
    return [{ type: `${name}-cut` as const, message, pointer: `/content/${at}/${name}` }]
  })
}

function suggestionWarnings(placed: PlacedCard): RcsWarning[] {
  const { card, layout, suggestions } = placed
  const { title, description, media } = card
  const hasText = title !== undefined || description !== undefined
  const isFull = layout !== 'HORIZONTAL' && media?.height === 'TALL' && hasText
  const fits = isFull ? 0 : roomOf(placed).suggestions
  const hidden = suggestions[fits]
  if (!hidden) return []
  const what = isFull ? 'tall media and a text' : `${media!.height.toLowerCase()} media`
  const message = `A card with ${what} has room for ${fits === 0 ? 'no suggestion' : fits}: phones may leave out the last ones.`
  return [{ type: 'suggestions-hidden', message, pointer: `/content/${hidden.path}` }]
}

function mediaWarnings({ card: { media }, at, layout }: PlacedCard): RcsWarning[] {
  if (!media) return []
  const warnings: RcsWarning[] = []
  if (layout === 'HORIZONTAL' && media.height !== 'MEDIUM') {
    const message = `Media beside a text are as high as the card: ${media.height} changes nothing.`
    warnings.push({ type: 'media-height', message, pointer: `/content/${at}/media/height` })
  }
  if (media.contentDescription === undefined) {
    const message = 'The media have no alt: people who do not see them are told nothing of them.'
    warnings.push({ type: 'alt-missing', message, pointer: `/content/${at}/media/file/alt` })
  }
  return warnings
}

/** Media that are higher than those of the cards that give the carousel its height. */
function carouselWarnings(cards: readonly PlacedCard[]): RcsWarning[] {
  const heightOf = ({ card: { media } }: PlacedCard): number => (media ? HEIGHTS.indexOf(media.height) : -1)
  const highest = Math.max(...cards.slice(0, FIRST_CARDS).map(heightOf))
  return cards.slice(FIRST_CARDS).flatMap((placed) => {
    if (heightOf(placed) <= highest) return []
    const message =
      'The first cards give a carousel its height, and these media are higher: put the highest card first.'
    return [{ type: 'media-height', message, pointer: `/content/${placed.at}/media/height` }]
  })
}

/** The cards of a message, with the suggestions on each. */
function cardsOf(message: RbmContent, suggestions: readonly ComposedRcsSuggestion[]): PlacedCard[] {
  if (!('richCard' in message)) return []
  const on = (at: string) => suggestions.filter(({ path }) => path.startsWith(`${at}/`))
  if ('standaloneCard' in message.richCard) {
    const { cardContent: card, cardOrientation: layout } = message.richCard.standaloneCard
    return [{ card, at: 'card', layout, suggestions: on('card') }]
  }
  const { cardContents, cardWidth: layout } = message.richCard.carouselCard
  return cardContents.map((card, index) => {
    const at = `cards/${index}`
    return { card, at, layout, suggestions: on(at) }
  })
}

function firstWarnings([first]: readonly ComposedRcsSuggestion[]): RcsWarning[] {
  if (first?.type !== 'shareLocation') return []
  const message =
    'Notifications show the first suggestion only, and none that shares a location: put another one before it.'
  return [{ type: 'share-location-first', message, pointer: `/content/${first.path}` }]
}

function messageWarnings(message: RbmContent, suggestions: readonly ComposedRcsSuggestion[]): RcsWarning[] {
  const warnings: RcsWarning[] = []
  const length = 'text' in message ? [...message.text].length : 0
  if (length > TEXT_LENGTH) {
    const said = `The text has ${length} characters: phones may fold what comes after about ${TEXT_LENGTH}.`
    warnings.push({ type: 'text-long', message: said, pointer: '/content/text' })
  }
  const hidden = suggestions.filter(({ path }) => path.startsWith('suggestions/'))[CHIPS]
  if (hidden) {
    const said = `Phones show about ${CHIPS} suggestions below a message: the others are seen only when they are moved.`
    warnings.push({ type: 'suggestions-hidden', message: said, pointer: `/content/${hidden.path}` })
  }
  return warnings
}

/** What phones cut, hide or ignore of a composed message. `suggestions`: those of its cards, then its own. */
export function findRcsWarnings(message: RbmContent, suggestions: readonly ComposedRcsSuggestion[]): RcsWarning[] {
  const cards = cardsOf(message, suggestions)
  return [
    ...firstWarnings(suggestions),
    ...messageWarnings(message, suggestions),
    ...cards.flatMap((card) => [...textWarnings(card), ...suggestionWarnings(card), ...mediaWarnings(card)]),
    ...carouselWarnings(cards),
  ]
}
