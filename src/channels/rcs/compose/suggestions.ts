import { formatIsoInstant, parseInstant } from '../../../lib/time/period.ts'
import type { RcsSuggestion } from '../content/content-schemas.ts'
import { RCS_TEXT_RULES } from '../content/leaves.ts'
import { pickPresentMembers, type RcsRenderedTexts, UnsendableRcsError } from './leaf-reader.ts'
import { encodePostback } from './postback.ts'
import type { RbmAction, RbmSuggestion } from './rbm.ts'

type SuggestionOf<Type extends RcsSuggestion['type']> = Extract<RcsSuggestion, { type: Type }>

/** Members of an action in addition to its text and postback. */
type ActionEffect = Omit<RbmAction, 'text' | 'postbackData' | 'fallbackUrl'>

function composeOpenUrl(
  { application, webviewViewMode }: SuggestionOf<'openUrl'>,
  at: string,
  leaves: RcsRenderedTexts,
): ActionEffect {
  const rules = RCS_TEXT_RULES.openUrl
  return {
    openUrlAction: pickPresentMembers({
      url: leaves.read(`${at}/url`, rules.url),
      application,
      // RBM has it for web views alone.
      webviewViewMode: application === 'WEBVIEW' ? webviewViewMode : undefined,
      description: leaves.optional(`${at}/description`, rules.description),
    }),
  }
}

function composeViewLocation(
  suggestion: SuggestionOf<'viewLocation'>,
  at: string,
  leaves: RcsRenderedTexts,
): ActionEffect {
  const { latitude = 0, longitude = 0, query } = suggestion
  const rules = RCS_TEXT_RULES.viewLocation
  if (query !== undefined) return { viewLocationAction: { query: leaves.read(`${at}/query`, rules.query) } }
  const label = leaves.optional(`${at}/label`, rules.label)
  return { viewLocationAction: pickPresentMembers({ latLong: { latitude, longitude }, label }) }
}

function composeCalendarEvent(at: string, leaves: RcsRenderedTexts): ActionEffect {
  const rules = RCS_TEXT_RULES.createCalendarEvent
  const [start, end] = (['startTime', 'endTime'] as const).map((name) =>
    parseInstant(leaves.read(`${at}/${name}`, rules[name])),
  )
  if (start === undefined || end === undefined) throw new Error('a date that fits its rule cannot be read')
  if (end < start)
    throw new UnsendableRcsError(`/content/${at}/endTime`, 'The rendered date must not be before startTime.')
  return {
    createCalendarEventAction: pickPresentMembers({
      startTime: formatIsoInstant(start)!,
      endTime: formatIsoInstant(end)!,
      title: leaves.read(`${at}/title`, rules.title),
      description: leaves.optional(`${at}/description`, rules.description),
    }),
  }
}

function composeComposeAction(
  { recording }: SuggestionOf<'compose'>,
  at: string,
  leaves: RcsRenderedTexts,
): ActionEffect {
  const rules = RCS_TEXT_RULES.compose
  const phoneNumber = leaves.read(`${at}/phoneNumber`, rules.phoneNumber)
  return recording === undefined
    ? {
        composeAction: {
          composeTextMessageAction: { phoneNumber, text: leaves.read(`${at}/message`, rules.message) },
        },
      }
    : { composeAction: { composeRecordingMessageAction: { phoneNumber, type: recording } } }
}

function composeActionEffect(
  suggestion: Exclude<RcsSuggestion, SuggestionOf<'reply'>>,
  at: string,
  leaves: RcsRenderedTexts,
): ActionEffect {
  switch (suggestion.type) {
    case 'openUrl':
      return composeOpenUrl(suggestion, at, leaves)
    case 'dial':
      return { dialAction: { phoneNumber: leaves.read(`${at}/phoneNumber`, RCS_TEXT_RULES.dial.phoneNumber) } }
    case 'viewLocation':
      return composeViewLocation(suggestion, at, leaves)
    case 'shareLocation':
      return { shareLocationAction: {} }
    case 'createCalendarEvent':
      return composeCalendarEvent(at, leaves)
    case 'compose':
      return composeComposeAction(suggestion, at, leaves)
  }
}

/** A suggestion that leaves, and where it stands in the content. */
export interface ComposedRcsSuggestion {
  path: string
  type: RcsSuggestion['type']
  composed: RbmSuggestion
}

/**
 * The suggestions of a message (`path` '') or of a card (`card/`, `cards/1/`). One whose text renders empty is dropped;
 * what is tied to a postback is the place where it was written. `card`: the number of the card.
 */
export function composeRcsSuggestions(
  list: readonly RcsSuggestion[] | undefined,
  { path, card }: { path: string; card?: number },
  leaves: RcsRenderedTexts,
): ComposedRcsSuggestion[] {
  return (list ?? []).flatMap((suggestion, index) => {
    const suggestionPath = `${path}suggestions/${index}`
    if (leaves.raw(`${suggestionPath}/text`).trim() === '') return []
    const text = leaves.read(`${suggestionPath}/text`, RCS_TEXT_RULES.suggestion.text)
    const prefix = `${card === undefined ? '' : `c${card}`}s${index}`
    const postback = leaves.optional(`${suggestionPath}/postback`, RCS_TEXT_RULES.suggestion.postback) ?? ''
    const common = { text, postbackData: encodePostback(leaves.stamp, prefix, postback) }
    const { type } = suggestion
    if (type === 'reply') return { path: suggestionPath, type, composed: { reply: common } }
    const fallbackUrl = leaves.optional(`${suggestionPath}/fallbackUrl`, RCS_TEXT_RULES.suggestion.fallbackUrl)
    const action = {
      ...common,
      ...pickPresentMembers({ fallbackUrl }),
      ...composeActionEffect(suggestion, suggestionPath, leaves),
    } as RbmAction
    return { path: suggestionPath, type, composed: { action } }
  })
}
