import { dateOfMs, readInstant } from '../../../lib/time/period.ts'
import type { RcsSuggestion } from '../content/content-schemas.ts'
import { RULES } from '../content/leaves.ts'
import { present, type RenderedLeaves, Unsendable } from './leaf-reader.ts'
import { tiePostback } from './postback.ts'
import type { RbmAction, RbmSuggestion } from './rbm.ts'

type Of<Type extends RcsSuggestion['type']> = Extract<RcsSuggestion, { type: Type }>

/** What an action has beside its text and postback. */
type Mapped = Omit<RbmAction, 'text' | 'postbackData' | 'fallbackUrl'>

function openUrl({ application, webviewViewMode }: Of<'openUrl'>, at: string, leaves: RenderedLeaves): Mapped {
  const rules = RULES.openUrl
  return {
    openUrlAction: present({
      url: leaves.read(`${at}/url`, rules.url),
      application,
      // RBM has it for web views alone.
      webviewViewMode: application === 'WEBVIEW' ? webviewViewMode : undefined,
      description: leaves.optional(`${at}/description`, rules.description),
    }),
  }
}

function viewLocation(suggestion: Of<'viewLocation'>, at: string, leaves: RenderedLeaves): Mapped {
  const { latitude = 0, longitude = 0, query } = suggestion
  const rules = RULES.viewLocation
  if (query !== undefined) return { viewLocationAction: { query: leaves.read(`${at}/query`, rules.query) } }
  const label = leaves.optional(`${at}/label`, rules.label)
  return { viewLocationAction: present({ latLong: { latitude, longitude }, label }) }
}

function calendarEvent(at: string, leaves: RenderedLeaves): Mapped {
  const rules = RULES.createCalendarEvent
  const [start, end] = (['startTime', 'endTime'] as const).map((name) =>
    readInstant(leaves.read(`${at}/${name}`, rules[name])),
  )
  if (start === undefined || end === undefined) throw new Error('a date that fits its rule cannot be read')
  if (end < start) throw new Unsendable(`/content/${at}/endTime`, 'The rendered date must not be before startTime.')
  return {
    createCalendarEventAction: present({
      startTime: dateOfMs(start)!,
      endTime: dateOfMs(end)!,
      title: leaves.read(`${at}/title`, rules.title),
      description: leaves.optional(`${at}/description`, rules.description),
    }),
  }
}

function compose({ recording }: Of<'compose'>, at: string, leaves: RenderedLeaves): Mapped {
  const rules = RULES.compose
  const phoneNumber = leaves.read(`${at}/phoneNumber`, rules.phoneNumber)
  return recording === undefined
    ? {
        composeAction: {
          composeTextMessageAction: { phoneNumber, text: leaves.read(`${at}/message`, rules.message) },
        },
      }
    : { composeAction: { composeRecordingMessageAction: { phoneNumber, type: recording } } }
}

function mapped(suggestion: Exclude<RcsSuggestion, Of<'reply'>>, at: string, leaves: RenderedLeaves): Mapped {
  switch (suggestion.type) {
    case 'openUrl':
      return openUrl(suggestion, at, leaves)
    case 'dial':
      return { dialAction: { phoneNumber: leaves.read(`${at}/phoneNumber`, RULES.dial.phoneNumber) } }
    case 'viewLocation':
      return viewLocation(suggestion, at, leaves)
    case 'shareLocation':
      return { shareLocationAction: {} }
    case 'createCalendarEvent':
      return calendarEvent(at, leaves)
    case 'compose':
      return compose(suggestion, at, leaves)
  }
}

/** A suggestion that leaves, and where it stands in the content. */
export interface ComposedSuggestion {
  path: string
  type: RcsSuggestion['type']
  composed: RbmSuggestion
}

/**
 * The suggestions of a message (`path` '') or of a card (`card/`, `cards/1/`). One whose text renders empty is dropped;
 * what is tied to a postback is the place where it was written. `card`: the number of the card.
 */
export function composeSuggestions(
  list: readonly RcsSuggestion[] | undefined,
  { path, card }: { path: string; card?: number },
  leaves: RenderedLeaves,
): ComposedSuggestion[] {
  return (list ?? []).flatMap((suggestion, index) => {
    const at = `${path}suggestions/${index}`
    if (leaves.raw(`${at}/text`).trim() === '') return []
    const text = leaves.read(`${at}/text`, RULES.suggestion.text)
    const tie = `${card === undefined ? '' : `c${card}`}s${index}`
    const postback = leaves.optional(`${at}/postback`, RULES.suggestion.postback) ?? ''
    const common = { text, postbackData: tiePostback(leaves.stamp, tie, postback) }
    const { type } = suggestion
    if (type === 'reply') return { path: at, type, composed: { reply: common } }
    const fallbackUrl = leaves.optional(`${at}/fallbackUrl`, RULES.suggestion.fallbackUrl)
    const action = { ...common, ...present({ fallbackUrl }), ...mapped(suggestion, at, leaves) } as RbmAction
    return { path: at, type, composed: { action } }
  })
}
