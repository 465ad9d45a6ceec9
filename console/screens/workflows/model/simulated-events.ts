import { setPointerValue } from '../../../components/form/pointers.ts'
import { WORKFLOW_EVENT_SETTINGS } from './events.ts'
import type { NodeSetting, NodeSettingLabel } from './settings.ts'

/** An event that comes while a workflow is simulated, as filters see it. */
export interface SimulatedEvent {
  at: string
  type: string
  [member: string]: unknown
}

const DETAIL = '/source/detail'
const ABOUT = `${DETAIL}/activation`

/** Where an event holds what a filter's member asks for, and what one of it is called. */
const PLACES: Readonly<Record<string, readonly [at: string, label: NodeSettingLabel]>> = {
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

function placeOf(type: string, member: string): readonly [at: string, label: NodeSettingLabel] | undefined {
  const word = type.split('.')[1] ?? ''
  if (member === '/kinds') return KINDS_AT[word] === undefined ? undefined : [KINDS_AT[word], 'one-kind']
  if (member === '/fields') return word === 'updated' ? ['/data/fields', 'set-fields'] : ['/data/field', 'set-field']
  // Only bounces have verdicts, only cancellations causes.
  if ((member === '/verdicts' && word !== 'bounce') || (member === '/causes' && word !== 'cancellation'))
    return undefined
  return PLACES[member]
}

/** The field of one value, of a field for several. */
function single(setting: NodeSetting): NodeSetting {
  if (setting.as === 'picks') return { ...setting, as: 'pick' }
  if (setting.as === 'choices') return { ...setting, as: 'choice', choices: setting.choices.map(String) }
  return setting.as === 'texts' ? { at: setting.at, label: setting.label, as: 'text' } : setting
}

/** What of an event of a type can be said in a form: what filters of that type ask for. */
export function listEventSettings(type: string): NodeSetting[] {
  const own = (WORKFLOW_EVENT_SETTINGS[type] ?? []).flatMap((setting): NodeSetting[] => {
    const place = placeOf(type, setting.at)
    if (!place) return []
    const [at, label] = place
    return [{ ...(at === '/data/fields' ? setting : single(setting)), at, label }]
  })
  return type === 'custom' ? [...own, { at: '/data', label: 'set-data', as: 'json' }] : own
}

const HOUR_MS = 3_600_000

/** One more event, an hour after the last. `begin`: when the simulation begins. */
export function addSimulatedEvent(
  events: readonly SimulatedEvent[],
  begin: string | null,
  now: number,
): SimulatedEvent[] {
  const last = Date.parse(events.at(-1)?.at ?? begin ?? '')
  const after = Number.isNaN(last) ? now : last
  const at = new Date(Math.ceil((after + HOUR_MS) / 60_000) * 60_000).toISOString()
  return [...events, { at, type: 'action.hit', source: { detail: { link: { type: 'open' } } } }]
}

/** Another type: what is said of the old one is gone. */
export const changeEventType = ({ at }: SimulatedEvent, type: string): SimulatedEvent => ({ at, type })

/** Two neighbours change their places; the times stay where they are, so that the list stays in the order of time. */
export function moveSimulatedEvent(events: readonly SimulatedEvent[], place: number, by: -1 | 1): SimulatedEvent[] {
  const [one, other] = [events[place], events[place + by]]
  if (!one || !other) return [...events]
  return events.with(place, { ...other, at: one.at }).with(place + by, { ...one, at: other.at })
}

/** The event that a filter with one value in one member lets through. */
export const createFilteredEvent = (type: string, at: string, value: unknown): SimulatedEvent =>
  setPointerValue({ at: '2026-01-01T00:00:00.000Z', type } as SimulatedEvent, at, value)
