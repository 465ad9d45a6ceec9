import { domainToASCII } from 'node:url'
import { type ActionType, channelOfAction, factsOf } from '../../../channels/facts.ts'
import { isProfileDomain } from '../../../channels/version-source.ts'
import type { Fault } from '../../../lib/errors/problem.ts'
import { dateOfMs, NO_DATE, readInstant } from '../../../lib/time/period.ts'
import { isCulture } from '../../accounts/sending-settings-faults.ts'
import { readCountry } from '../../contacts/values/countries.ts'
import type { StoredContent, StoredScheduler, StoredSettings } from './action-repository.ts'
import type { ActionBody } from './action-schemas.ts'
import { merge } from './merge.ts'

const MAX_ENVIRONMENT_BYTES = 64 * 1024

/** No clock on earth is further from UTC. */
const WIDEST_MS = 14 * 3_600_000

/** A clock time, and the offset behind it. */
const CLOCK_OFFSET = /([T ]\d{2}:\d{2}[\d:.,\s]{0,30})(?:Z|[+-]\d{2}(?::?\d{2})?)$/i
/** No instant is written in more characters. */
const MAX_INSTANT_LENGTH = 100

/** Settings that every action has; `field` and `culture` are the account's. */
export function newCommonSettings({ field, culture }: { field: number; culture: string }) {
  return {
    templating: { version: '4.1' },
    purpose: { type: 'marketing' },
    consent: 0,
    priority: false,
    environment: {},
    field,
    culture,
    mp: {},
  } as const satisfies StoredSettings
}

/** What settings of an email or SMS action are merged into at creation. */
export function newSettings(
  type: ActionType,
  given: ActionBody['settings'],
  accountOwn: { field: number; culture: string },
): StoredSettings {
  const { mp, ...common } = newCommonSettings(accountOwn)
  const own = factsOf(channelOfAction(type)).newSettings({
    ...(given?.editionMode !== undefined && { editionMode: given.editionMode }),
  })
  return { ...common, sendingProfile: null, mp, webAnalyser: null, ...own }
}

export function newContent(type: ActionType): StoredContent {
  return factsOf(channelOfAction(type)).newContent()
}

export function newScheduler(): StoredScheduler {
  return { type: 'asap', startDate: null, endDate: null, speed: 0, timeZoneField: null }
}

/** An object without the members whose value is 0. */
export function withoutZeros<T extends object>(object: T, members: readonly (keyof T)[]): T {
  const left = Object.entries(object).filter(([name, value]) => value !== 0 || !members.includes(name as keyof T))
  return Object.fromEntries(left) as T
}

/** A body without the zeros that typed clients send for what is unset (actions.md 1.5). */
export function withoutUnset(body: ActionBody): ActionBody {
  const { informations, settings } = body
  return {
    ...body,
    ...(informations && { informations: withoutZeros(informations, ['folder', 'category']) }),
    ...(settings && { settings: withoutZeros(settings, ['field', 'sendingProfile', 'webAnalyser']) }),
  }
}

type CommonSettings = Pick<NonNullable<ActionBody['settings']>, 'templating' | 'purpose' | 'culture'>

/** The members of `given` that `known` has: those of the other channel are passed over. */
export function only(given: object, known: object): object {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(known, name)))
}

/** Reads settings into those stored. Adds what is wrong to `faults`. */
export function readSettings(
  stored: StoredSettings,
  given: NonNullable<ActionBody['settings']>,
  accountCulture: string,
  faults: Fault[],
): StoredSettings {
  const { performance, countries, experiment: _, ...same } = given
  const { unsubscribeRate, ...rates } = performance ?? {}
  const read = {
    ...readCommonSettings(same, accountCulture, faults),
    ...(performance && { performance: { unsubscribedRate: unsubscribeRate, ...rates } }),
    ...(countries && { countries: readCountries(countries, faults) }),
  }
  return mergeSettings(stored, read, faults)
}

/** What every action reads in more forms than it shows, in the one form; other members as they are. */
export function readCommonSettings(
  { templating, purpose, culture, ...same }: CommonSettings,
  accountCulture: string,
  faults: Fault[],
): object {
  return {
    ...same,
    ...(templating?.version !== undefined && { templating: { version: String(templating.version) } }),
    ...(purpose?.type !== undefined && { purpose: { type: readPurpose(purpose.type, faults) } }),
    ...(culture !== undefined && { culture: readCulture(culture ?? accountCulture, faults) }),
  }
}

/** Settings with the members given that they know; those of other channels are passed over. Adds what is wrong to `faults`. */
export function mergeSettings(stored: StoredSettings, read: object, faults: Fault[]): StoredSettings {
  const merged = merge(stored, only(read, stored))
  const { topic } = merged.mp
  const settings = topic == null ? merged : { ...merged, mp: { ...merged.mp, topic: topic.toLowerCase() } }
  if (Buffer.byteLength(JSON.stringify(settings.environment)) > MAX_ENVIRONMENT_BYTES) {
    faults.push({ pointer: '/settings/environment', detail: 'must have at most 64 KiB as JSON' })
  }
  return settings
}

/** A purpose in any letter case, in lower case. */
function readPurpose(given: string, faults: Fault[]): string {
  const purpose = given.toLowerCase()
  if (purpose !== 'marketing' && purpose !== 'service')
    faults.push({ pointer: '/settings/purpose/type', detail: 'must be marketing or service' })
  return purpose
}

function readCulture(given: string, faults: Fault[]): string {
  if (isCulture(given)) return given
  faults.push({ pointer: '/settings/culture', detail: 'must be a BCP 47 tag such as fr-FR' })
  return given
}

function readCountries(given: readonly string[], faults: Fault[]): string[] {
  const codes = given.map((text, index) => {
    const code = readCountry(text)
    if (code === undefined)
      faults.push({ pointer: `/settings/countries/${index}`, detail: `"${text}" is no ISO 3166 alpha-3 code` })
    return code ?? text
  })
  return [...new Set(codes)]
}

/** Reads a content into the one stored. Adds what is wrong to `faults`. */
export function readContent(
  stored: StoredContent,
  given: NonNullable<ActionBody['content']>,
  faults: Fault[],
): StoredContent {
  const domain = given.headers?.from?.domain
  if (domain != null && !isSenderDomain(domain)) {
    faults.push({ pointer: '/content/headers/from/domain', detail: 'must be a domain name such as mail.shop.example' })
  }
  const { design: _, ...others } = given
  return merge(stored, only(others, stored))
}

/** Whether a text is the name of a domain with at least one dot, also in letters beyond ASCII. */
function isDomain(text: string): boolean {
  return /^([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(domainToASCII(text))
}

/** Whether a text names the domain of a sender: its name, or the word for that of the profile. */
export function isSenderDomain(text: string): boolean {
  return isProfileDomain(text) || isDomain(text)
}

/** An instant as it is kept; null clears it. Digits of a zoned start lose their offset. */
function readDate(given: string | number | null, pointer: string, faults: Fault[], isZoned = false): string | null {
  if (given === null) return null
  const isLong = typeof given === 'string' && given.length > MAX_INSTANT_LENGTH
  const instant = isLong
    ? undefined
    : readInstant(isZoned && typeof given === 'string' ? given.trim().replace(CLOCK_OFFSET, '$1') : given)
  if (instant !== undefined) return new Date(instant).toISOString()
  faults.push({ pointer, detail: NO_DATE })
  return null
}

/** Reads a scheduler into the one stored. Adds what is wrong to `faults`. */
export function readScheduler(
  stored: StoredScheduler,
  given: NonNullable<ActionBody['scheduler']>,
  faults: Fault[],
): StoredScheduler {
  const { segments: _, startDate, endDate, ...same } = given
  const merged = merge(stored, same)
  const isZoned = merged.type === 'timeZoneSchedule'
  if (startDate !== undefined) merged.startDate = readDate(startDate, '/scheduler/startDate', faults, isZoned)
  if (endDate !== undefined) merged.endDate = readDate(endDate, '/scheduler/endDate', faults)
  if (merged.type === 'asap') merged.startDate = null
  if (merged.type !== 'bestTime') delete merged.windowHours
  delete merged.startsAt
  if (isZoned && merged.startDate !== null && !isOnEveryClock(merged.startDate))
    faults.push({ pointer: '/scheduler/startDate', detail: `${NO_DATE}, in every time zone` })
  if (
    merged.startDate !== null &&
    merged.endDate !== null &&
    merged.endDate <= firstMoment(merged.startDate, isZoned)
  ) {
    faults.push({ pointer: '/scheduler/endDate', detail: 'must be after startDate' })
  }
  return merged
}

/** Whether a zoned start is an instant of the calendar, whichever clock shows it. */
function isOnEveryClock(startDate: string): boolean {
  const instant = Date.parse(startDate)
  return [-WIDEST_MS, WIDEST_MS].every((distance) => dateOfMs(instant + distance) !== undefined)
}

/** When the first clock on earth shows a zoned start: fourteen hours before UTC does. */
export function firstMoment(startDate: string, isZoned: boolean): string {
  return isZoned ? new Date(Date.parse(startDate) - WIDEST_MS).toISOString() : startDate
}
