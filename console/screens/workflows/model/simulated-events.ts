import { setPointerValue } from '../../../components/form/pointers.ts'
import { WORKFLOW_EVENT_SETTINGS } from './events.ts'
import type { NodeSetting, NodeSettingLabel } from './settings.ts'

/** An event that comes while a workflow is simulated, as filters see it. */
export interface SimulatedEvent {
  at: string
  type: string
  [member: string]: unknown
}

const DETAIL_POINTER = '/source/detail'
const ACTIVATION_POINTER = `${DETAIL_POINTER}/activation`

/** Pointer and label in an event for each member that a filter tests. */
const FILTER_POINTERS: Readonly<Record<string, readonly [at: string, label: NodeSettingLabel]>> = {
  '/ids': [`${ACTIVATION_POINTER}/id`, 'one-message'],
  '/versions': [`${ACTIVATION_POINTER}/version`, 'set-version'],
  '/campaigns': [`${ACTIVATION_POINTER}/campaign`, 'one-campaign'],
  '/placements': [`${ACTIVATION_POINTER}/placement`, 'one-placement'],
  '/contents': [`${ACTIVATION_POINTER}/content`, 'set-content'],
  '/causes': [`${DETAIL_POINTER}/cancellation/type`, 'one-cause'],
  '/verdicts': [`${DETAIL_POINTER}/bounce/analysis/verdict`, 'one-verdict'],
  '/links': [`${DETAIL_POINTER}/link/name`, 'one-link'],
  '/postbacks': [`${DETAIL_POINTER}/interaction/suggestion/postback`, 'one-postback'],
  '/names': ['/name', 'set-name'],
  '/channels': ['/data/channels', 'set-channels'],
  '/segments': ['/data/segment', 'set-segment'],
  '/applications': ['/data/application', 'one-application'],
  '/imports': ['/data/import', 'one-import'],
}
/** Members of events that hold lists. */
const LIST_POINTERS: ReadonlySet<string> = new Set(['/data/fields', '/data/channels'])

const KIND_POINTERS: Readonly<Record<string, string>> = {
  hit: `${DETAIL_POINTER}/link/type`,
  reply: `${DETAIL_POINTER}/reply/type`,
  interaction: `${DETAIL_POINTER}/interaction/type`,
}

function findFilterPointer(type: string, member: string): readonly [at: string, label: NodeSettingLabel] | undefined {
  const eventVerb = type.split('.')[1] ?? ''
  if (member === '/kinds')
    return KIND_POINTERS[eventVerb] === undefined ? undefined : [KIND_POINTERS[eventVerb], 'one-kind']
  if (member === '/fields')
    return eventVerb === 'updated' ? ['/data/fields', 'set-fields'] : ['/data/field', 'set-field']
  // Only bounces have verdicts, only cancellations causes.
  if ((member === '/verdicts' && eventVerb !== 'bounce') || (member === '/causes' && eventVerb !== 'cancellation'))
    return undefined
  return FILTER_POINTERS[member]
}

/** The field of one value, of a field for several. */
function toSingleSetting(setting: NodeSetting): NodeSetting {
  if (setting.as === 'picks') return { ...setting, as: 'pick' }
  if (setting.as === 'choices') return { ...setting, as: 'choice', choices: setting.choices.map(String) }
  return setting.as === 'texts' ? { at: setting.at, label: setting.label, as: 'text' } : setting
}

/** Form settings for an event of a type: the members that filters of that type test. */
export function listEventSettings(type: string): NodeSetting[] {
  const filterSettings = (WORKFLOW_EVENT_SETTINGS[type] ?? []).flatMap((setting): NodeSetting[] => {
    const place = findFilterPointer(type, setting.at)
    if (!place) return []
    const [at, label] = place
    return [{ ...(LIST_POINTERS.has(at) ? setting : toSingleSetting(setting)), at, label }]
  })
  return type === 'custom' ? [...filterSettings, { at: '/data', label: 'set-data', as: 'json' }] : filterSettings
}

const HOUR_MS = 3_600_000

/** One more event, an hour after the last. `begin`: when the simulation begins. */
export function addSimulatedEvent(
  events: readonly SimulatedEvent[],
  begin: string | null,
  now: number,
): SimulatedEvent[] {
  const lastEventMs = Date.parse(events.at(-1)?.at ?? begin ?? '')
  const startMs = Number.isNaN(lastEventMs) ? now : lastEventMs
  const nextEventDate = new Date(Math.ceil((startMs + HOUR_MS) / 60_000) * 60_000).toISOString()
  return [...events, { at: nextEventDate, type: 'action.hit', source: { detail: { link: { type: 'open' } } } }]
}

/** Another type: what is said of the old one is gone. */
export const changeEventType = ({ at }: SimulatedEvent, type: string): SimulatedEvent => ({ at, type })

/** Two neighbours change their places; the times stay where they are, so that the list stays in the order of time. */
export function moveSimulatedEvent(events: readonly SimulatedEvent[], place: number, by: -1 | 1): SimulatedEvent[] {
  const [currentEvent, swappedEvent] = [events[place], events[place + by]]
  if (!currentEvent || !swappedEvent) return [...events]
  return events
    .with(place, { ...swappedEvent, at: currentEvent.at })
    .with(place + by, { ...currentEvent, at: swappedEvent.at })
}

/** The event that a filter with one value in one member lets through. */
export const createFilteredEvent = (type: string, at: string, value: unknown): SimulatedEvent =>
  setPointerValue({ at: '2026-01-01T00:00:00.000Z', type } as SimulatedEvent, at, value)
