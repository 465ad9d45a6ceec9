import { withValue } from '../../../components/form/pointers.ts'
import { EVENTS } from './events.ts'
import type { Label, Setting } from './settings.ts'

/** An event that comes while a workflow is simulated, as filters see it. */
export interface ListedEvent {
  at: string
  type: string
  [member: string]: unknown
}

const DETAIL = '/source/detail'
const ABOUT = `${DETAIL}/activation`

/** Where an event holds what a filter's member asks for, and what one of it is called. */
const PLACES: Readonly<Record<string, readonly [at: string, label: Label]>> = {
  '/ids': [`${ABOUT}/id`, 'one-message'],
  '/versions': [`${ABOUT}/version`, 'set-version'],
  '/campaigns': [`${ABOUT}/campaign`, 'one-campaign'],
  '/placements': [`${ABOUT}/placement`, 'one-placement'],
  '/contents': [`${ABOUT}/content`, 'set-content'],
  '/causes': [`${DETAIL}/cancellation/type`, 'one-cause'],
  '/verdicts': [`${DETAIL}/bounce/analysis/verdict`, 'one-verdict'],
  '/links': [`${DETAIL}/link/name`, 'one-link'],
  '/postbacks': [`${DETAIL}/interaction/suggestion/postback`, 'one-postback'],
  '/names': ['/name', 'set-name'],
  '/channels': ['/data/channel', 'set-channel'],
  '/segments': ['/data/segment', 'set-segment'],
  '/applications': ['/data/application', 'one-application'],
  '/imports': ['/data/import', 'one-import'],
}
const KINDS_AT: Readonly<Record<string, string>> = {
  hit: `${DETAIL}/link/type`,
  reply: `${DETAIL}/reply/type`,
  interaction: `${DETAIL}/interaction/type`,
}

function placeOf(type: string, member: string): readonly [at: string, label: Label] | undefined {
  const word = type.split('.')[1] ?? ''
  if (member === '/kinds') return KINDS_AT[word] === undefined ? undefined : [KINDS_AT[word], 'one-kind']
  if (member === '/fields') return word === 'updated' ? ['/data/fields', 'set-fields'] : ['/data/field', 'set-field']
  // Only bounces have verdicts, only cancellations causes.
  if ((member === '/verdicts' && word !== 'bounce') || (member === '/causes' && word !== 'cancellation'))
    return undefined
  return PLACES[member]
}

/** The field of one value, of a field for several. */
function single(setting: Setting): Setting {
  if (setting.as === 'picks') return { ...setting, as: 'pick' }
  if (setting.as === 'choices') return { ...setting, as: 'choice', choices: setting.choices.map(String) }
  return setting.as === 'texts' ? { at: setting.at, label: setting.label, as: 'text' } : setting
}

/** What of an event of a type can be said in a form: what filters of that type ask for. */
export function settingsOfEvent(type: string): Setting[] {
  const own = (EVENTS[type] ?? []).flatMap((setting): Setting[] => {
    const place = placeOf(type, setting.at)
    if (!place) return []
    const [at, label] = place
    return [{ ...(at === '/data/fields' ? setting : single(setting)), at, label }]
  })
  return type === 'custom' ? [...own, { at: '/data', label: 'set-data', as: 'json' }] : own
}

const HOUR_MS = 3_600_000

/** One more event, an hour after the last. `begin`: when the simulation begins. */
export function withEvent(events: readonly ListedEvent[], begin: string | null, now: number): ListedEvent[] {
  const last = Date.parse(events.at(-1)?.at ?? begin ?? '')
  const after = Number.isNaN(last) ? now : last
  const at = new Date(Math.ceil((after + HOUR_MS) / 60_000) * 60_000).toISOString()
  return [...events, { at, type: 'action.hit', source: { detail: { link: { type: 'open' } } } }]
}

/** Another type: what is said of the old one is gone. */
export const ofType = ({ at }: ListedEvent, type: string): ListedEvent => ({ at, type })

/** Two neighbours change their places; the times stay where they are, so that the list stays in the order of time. */
export function movedEvent(events: readonly ListedEvent[], place: number, by: -1 | 1): ListedEvent[] {
  const [one, other] = [events[place], events[place + by]]
  if (!one || !other) return [...events]
  return events.with(place, { ...other, at: one.at }).with(place + by, { ...one, at: other.at })
}

/** The event that a filter with one value in one member lets through. */
export const eventWith = (type: string, at: string, value: unknown): ListedEvent =>
  withValue({ at: '2026-01-01T00:00:00.000Z', type } as ListedEvent, at, value)
