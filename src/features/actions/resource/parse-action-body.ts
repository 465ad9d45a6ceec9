import { domainToASCII } from 'node:url'
import { type ChannelActionType, getActionChannel, getChannelTraits } from '../../../channels/facts.ts'
import { isProfileDomainName } from '../../../channels/version-source.ts'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { formatIsoInstant, INVALID_DATE_DETAIL, parseInstant } from '../../../lib/time/period.ts'
import { isLanguageTag } from '../../accounts/sending-settings-faults.ts'
import { parseCountryCode } from '../../contacts/values/countries.ts'
import type { StoredActionContent, StoredActionScheduler, StoredActionSettings } from './action-repository.ts'
import type { ActionBody } from './action-schemas.ts'
import { mergeMembers } from './merge.ts'

const MAX_ENVIRONMENT_BYTES = 64 * 1024

/** No clock on earth is further from UTC. */
const WIDEST_MS = 14 * 3_600_000

/** A clock time, and the offset behind it. */
const CLOCK_OFFSET = /([T ]\d{2}:\d{2}[\d:.,\s]{0,30})(?:Z|[+-]\d{2}(?::?\d{2})?)$/i
/** No instant is written in more characters. */
const MAX_INSTANT_LENGTH = 100

/** Settings that every action has; `field` and `culture` are the account's. */
export function createCommonSettings({ field, culture }: { field: number; culture: string }) {
  return {
    templating: { version: '4.1' },
    purpose: { type: 'marketing' },
    consent: 0,
    priority: false,
    environment: {},
    field,
    culture,
    mp: {},
  } as const satisfies StoredActionSettings
}

/** What settings of an email or SMS action are merged into at creation. */
export function createActionSettings(
  type: ChannelActionType,
  given: ActionBody['settings'],
  accountOwn: { field: number; culture: string },
): StoredActionSettings {
  const { mp, ...common } = createCommonSettings(accountOwn)
  const own = getChannelTraits(getActionChannel(type)).newSettings({
    ...(given?.editionMode !== undefined && { editionMode: given.editionMode }),
  })
  return { ...common, sendingProfile: null, mp, webAnalyser: null, ...own }
}

export function createActionContent(type: ChannelActionType): StoredActionContent {
  return getChannelTraits(getActionChannel(type)).newContent()
}

export function createActionScheduler(): StoredActionScheduler {
  return { type: 'asap', startDate: null, endDate: null, speed: 0, timeZoneField: null }
}

/** An object without the members whose value is 0. */
export function omitZeroMembers<T extends object>(object: T, members: readonly (keyof T)[]): T {
  const left = Object.entries(object).filter(([name, value]) => value !== 0 || !members.includes(name as keyof T))
  return Object.fromEntries(left) as T
}

/** A body without the zeros that typed clients send for what is unset (actions.md 1.5). */
export function omitUnsetMembers(body: ActionBody): ActionBody {
  const { informations, settings } = body
  return {
    ...body,
    ...(informations && { informations: omitZeroMembers(informations, ['folder', 'category']) }),
    ...(settings && { settings: omitZeroMembers(settings, ['field', 'sendingProfile', 'webAnalyser']) }),
  }
}

type CommonSettings = Pick<NonNullable<ActionBody['settings']>, 'templating' | 'purpose' | 'culture'>

/** The members of `given` that `known` has: those of the other channel are passed over. */
export function pickKnownMembers(given: object, known: object): object {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(known, name)))
}

/** Reads settings into those stored. Adds what is wrong to `faults`. */
export function parseActionSettings(
  stored: StoredActionSettings,
  given: NonNullable<ActionBody['settings']>,
  accountCulture: string,
  faults: ProblemFault[],
): StoredActionSettings {
  const { performance, countries, experiment: _, ...same } = given
  const { unsubscribeRate, ...rates } = performance ?? {}
  const read = {
    ...parseCommonSettings(same, accountCulture, faults),
    ...(performance && { performance: { unsubscribedRate: unsubscribeRate, ...rates } }),
    ...(countries && { countries: readCountries(countries, faults) }),
  }
  return mergeActionSettings(stored, read, faults)
}

/** What every action reads in more forms than it shows, in the one form; other members as they are. */
export function parseCommonSettings(
  { templating, purpose, culture, ...same }: CommonSettings,
  accountCulture: string,
  faults: ProblemFault[],
): object {
  return {
    ...same,
    ...(templating?.version !== undefined && { templating: { version: String(templating.version) } }),
    ...(purpose?.type !== undefined && { purpose: { type: readPurpose(purpose.type, faults) } }),
    ...(culture !== undefined && { culture: readCulture(culture ?? accountCulture, faults) }),
  }
}

/** Settings with the members given that they know; those of other channels are passed over. Adds what is wrong to `faults`. */
export function mergeActionSettings(
  stored: StoredActionSettings,
  read: object,
  faults: ProblemFault[],
): StoredActionSettings {
  const merged = mergeMembers(stored, pickKnownMembers(read, stored))
  const { topic } = merged.mp
  const settings = topic == null ? merged : { ...merged, mp: { ...merged.mp, topic: topic.toLowerCase() } }
  if (Buffer.byteLength(JSON.stringify(settings.environment)) > MAX_ENVIRONMENT_BYTES) {
    faults.push({ pointer: '/settings/environment', detail: 'must have at most 64 KiB as JSON' })
  }
  return settings
}

/** A purpose in any letter case, in lower case. */
function readPurpose(given: string, faults: ProblemFault[]): string {
  const purpose = given.toLowerCase()
  if (purpose !== 'marketing' && purpose !== 'service')
    faults.push({ pointer: '/settings/purpose/type', detail: 'must be marketing or service' })
  return purpose
}

function readCulture(given: string, faults: ProblemFault[]): string {
  if (isLanguageTag(given)) return given
  faults.push({ pointer: '/settings/culture', detail: 'must be a BCP 47 tag such as fr-FR' })
  return given
}

function readCountries(given: readonly string[], faults: ProblemFault[]): string[] {
  const codes = given.map((text, index) => {
    const code = parseCountryCode(text)
    if (code === undefined)
      faults.push({ pointer: `/settings/countries/${index}`, detail: `"${text}" is no ISO 3166 alpha-3 code` })
    return code ?? text
  })
  return [...new Set(codes)]
}

/** Reads a content into the one stored. Adds what is wrong to `faults`. */
export function parseActionContent(
  stored: StoredActionContent,
  given: NonNullable<ActionBody['content']>,
  faults: ProblemFault[],
): StoredActionContent {
  const domain = given.headers?.from?.domain
  if (domain != null && !isSenderDomain(domain)) {
    faults.push({ pointer: '/content/headers/from/domain', detail: 'must be a domain name such as mail.shop.example' })
  }
  const { design: _, ...others } = given
  return mergeMembers(stored, pickKnownMembers(others, stored))
}

/** Whether a text is the name of a domain with at least one dot, also in letters beyond ASCII. */
function isDomain(text: string): boolean {
  return /^([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(domainToASCII(text))
}

/** Whether a text names the domain of a sender: its name, or the word for that of the profile. */
export function isSenderDomain(text: string): boolean {
  return isProfileDomainName(text) || isDomain(text)
}

/** An instant as it is kept; null clears it. Digits of a zoned start lose their offset. */
function readDate(
  given: string | number | null,
  pointer: string,
  faults: ProblemFault[],
  isZoned = false,
): string | null {
  if (given === null) return null
  const isLong = typeof given === 'string' && given.length > MAX_INSTANT_LENGTH
  const instant = isLong
    ? undefined
    : parseInstant(isZoned && typeof given === 'string' ? given.trim().replace(CLOCK_OFFSET, '$1') : given)
  if (instant !== undefined) return new Date(instant).toISOString()
  faults.push({ pointer, detail: INVALID_DATE_DETAIL })
  return null
}

/** Reads a scheduler into the one stored. Adds what is wrong to `faults`. */
export function parseActionScheduler(
  stored: StoredActionScheduler,
  given: NonNullable<ActionBody['scheduler']>,
  faults: ProblemFault[],
): StoredActionScheduler {
  const { segments: _, startDate, endDate, ...same } = given
  const merged = mergeMembers(stored, same)
  const isZoned = merged.type === 'timeZoneSchedule'
  if (startDate !== undefined) merged.startDate = readDate(startDate, '/scheduler/startDate', faults, isZoned)
  if (endDate !== undefined) merged.endDate = readDate(endDate, '/scheduler/endDate', faults)
  if (merged.type === 'asap') merged.startDate = null
  if (merged.type !== 'bestTime') delete merged.windowHours
  delete merged.startsAt
  if (isZoned && merged.startDate !== null && !isOnEveryClock(merged.startDate))
    faults.push({ pointer: '/scheduler/startDate', detail: `${INVALID_DATE_DETAIL}, in every time zone` })
  if (
    merged.startDate !== null &&
    merged.endDate !== null &&
    merged.endDate <= computeEarliestStart(merged.startDate, isZoned)
  ) {
    faults.push({ pointer: '/scheduler/endDate', detail: 'must be after startDate' })
  }
  return merged
}

/** Whether a zoned start is an instant of the calendar, whichever clock shows it. */
function isOnEveryClock(startDate: string): boolean {
  const instant = Date.parse(startDate)
  return [-WIDEST_MS, WIDEST_MS].every((distance) => formatIsoInstant(instant + distance) !== undefined)
}

/** When the first clock on earth shows a zoned start: fourteen hours before UTC does. */
export function computeEarliestStart(startDate: string, isZoned: boolean): string {
  return isZoned ? new Date(Date.parse(startDate) - WIDEST_MS).toISOString() : startDate
}
