import type { RbmCard, RbmContent, RbmSuggestion } from '../compose/rbm.ts'

/** Features of phones, in the words of RBM, by the member of an action that needs them. */
const ACTION_FEATURES: Readonly<Record<string, string>> = {
  openUrlAction: 'ACTION_OPEN_URL',
  dialAction: 'ACTION_DIAL',
  viewLocationAction: 'ACTION_VIEW_LOCATION',
  shareLocationAction: 'ACTION_SHARE_LOCATION',
  createCalendarEventAction: 'ACTION_CREATE_CALENDAR_EVENT',
  composeAction: 'ACTION_COMPOSE',
}

function listCards(message: RbmContent): RbmCard[] {
  if (!('richCard' in message)) return []
  const { richCard } = message
  return 'standaloneCard' in richCard ? [richCard.standaloneCard.cardContent] : richCard.carouselCard.cardContents
}

function listSuggestionFeatures(suggestion: RbmSuggestion): string[] {
  if (!('action' in suggestion)) return []
  return Object.keys(suggestion.action).flatMap((name) => ACTION_FEATURES[name] ?? [])
}

/** Features that a phone needs to show a message, without duplicates. */
export function findRequiredRcsFeatures(message: RbmContent): string[] {
  const cards = listCards(message)
  const suggestions = [...cards, message].flatMap((card) => card.suggestions ?? [])
  const features = suggestions.flatMap(listSuggestionFeatures)
  if ('richCard' in message)
    features.unshift('standaloneCard' in message.richCard ? 'RICHCARD_STANDALONE' : 'RICHCARD_CAROUSEL')
  return [...new Set(features)]
}
