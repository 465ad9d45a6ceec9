import type { RbmCard, RbmContent, RbmSuggestion } from '../compose/rbm.ts'

/** Features of phones, in the words of RBM, by the member of an action that needs them. */
const ACTIONS: Readonly<Record<string, string>> = {
  openUrlAction: 'ACTION_OPEN_URL',
  dialAction: 'ACTION_DIAL',
  viewLocationAction: 'ACTION_VIEW_LOCATION',
  shareLocationAction: 'ACTION_SHARE_LOCATION',
  createCalendarEventAction: 'ACTION_CREATE_CALENDAR_EVENT',
  composeAction: 'ACTION_COMPOSE',
}

function cardsOf(message: RbmContent): RbmCard[] {
  if (!('richCard' in message)) return []
  const { richCard } = message
  return 'standaloneCard' in richCard ? [richCard.standaloneCard.cardContent] : richCard.carouselCard.cardContents
}

function featuresOfSuggestion(suggestion: RbmSuggestion): string[] {
  if (!('action' in suggestion)) return []
  return Object.keys(suggestion.action).flatMap((name) => ACTIONS[name] ?? [])
}

/** What a phone must be able to do to show a message, each once. */
export function findRequiredRcsFeatures(message: RbmContent): string[] {
  const cards = cardsOf(message)
  const suggestions = [...cards, message].flatMap((one) => one.suggestions ?? [])
  const features = suggestions.flatMap(featuresOfSuggestion)
  if ('richCard' in message)
    features.unshift('standaloneCard' in message.richCard ? 'RICHCARD_STANDALONE' : 'RICHCARD_CAROUSEL')
  return [...new Set(features)]
}
