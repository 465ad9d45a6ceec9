import { domainToASCII } from 'node:url'
import { type ChannelActionType, getActionChannel, getChannelTraits } from '../../../channels/channel-traits.ts'
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
const MAX_ZONE_OFFSET_MS = 14 * 3_600_000

/** A clock time, and the offset behind it. */
const CLOCK_OFFSET_PATTERN = /([T ]\d{2}:\d{2}[\d:.,\s]{0,30})(?:Z|[+-]\d{2}(?::?\d{2})?)$/i
/** No instant is written in more characters. */
const MAX_INSTANT_CHARACTERS = 100

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

/** Default settings of an email or SMS action, into which the client's settings are merged at creation. */
export function createActionSettings(
  type: ChannelActionType,
  inputSettings: ActionBody['settings'],
  accountOwn: { field: number; culture: string },
): StoredActionSettings {
  const { mp, ...common } = createCommonSettings(accountOwn)
  const channelSettings = getChannelTraits(getActionChannel(type)).newSettings({
    ...(inputSettings?.editionMode !== undefined && { editionMode: inputSettings.editionMode }),
  })
  return { ...common, sendingProfile: null, mp, webAnalyser: null, ...channelSettings }
}

export function createActionContent(type: ChannelActionType): StoredActionContent {
  return getChannelTraits(getActionChannel(type)).newContent()
}

export function createActionScheduler(): StoredActionScheduler {
  return { type: 'asap', startDate: null, endDate: null, speed: 0, timeZoneField: null }
}

/** An object without the members whose value is 0. */
export function omitZeroMembers<T extends object>(object: T, members: readonly (keyof T)[]): T {
  const remainingMembers = Object.entries(object).filter(
    ([name, value]) => value !== 0 || !members.includes(name as keyof T),
  )
  return Object.fromEntries(remainingMembers) as T
}

/** Returns a body without the zeros that typed clients send for unset members. */
export function omitUnsetMembers(body: ActionBody): ActionBody {
  const { informations, settings } = body
  return {
    ...body,
    ...(informations && { informations: omitZeroMembers(informations, ['folder', 'category']) }),
    ...(settings && { settings: omitZeroMembers(settings, ['field', 'sendingProfile', 'webAnalyser']) }),
  }
}

type CommonSettingsInput = Pick<NonNullable<ActionBody['settings']>, 'templating' | 'purpose' | 'culture'>

/** The members of `inputScheduler` that `knownMembers` has: those of the other channel are passed over. */
export function pickKnownMembers(inputMembers: object, knownMembers: object): object {
  return Object.fromEntries(Object.entries(inputMembers).filter(([name]) => Object.hasOwn(knownMembers, name)))
}

/** Reads settings into those stored. Adds what is wrong to `faults`. */
export function parseActionSettings(
  storedSettings: StoredActionSettings,
  inputSettings: NonNullable<ActionBody['settings']>,
  accountCulture: string,
  faults: ProblemFault[],
): StoredActionSettings {
  const { performance, countries, experiment: _, ...commonSettings } = inputSettings
  const { unsubscribeRate, ...otherRates } = performance ?? {}
  const parsedSettings = {
    ...parseCommonSettings(commonSettings, accountCulture, faults),
    ...(performance && { performance: { unsubscribedRate: unsubscribeRate, ...otherRates } }),
    ...(countries && { countries: parseCountries(countries, faults) }),
  }
  return mergeActionSettings(storedSettings, parsedSettings, faults)
}

/** Normalizes the members that every action accepts in several forms; other members remain unchanged. */
export function parseCommonSettings(
  { templating, purpose, culture, ...otherMembers }: CommonSettingsInput,
  accountCulture: string,
  faults: ProblemFault[],
): object {
  return {
    ...otherMembers,
    ...(templating?.version !== undefined && { templating: { version: String(templating.version) } }),
    ...(purpose?.type !== undefined && { purpose: { type: parsePurpose(purpose.type, faults) } }),
    ...(culture !== undefined && { culture: parseCulture(culture ?? accountCulture, faults) }),
  }
}

/** Settings with the members given that they know; those of other channels are passed over. Adds what is wrong to `faults`. */
export function mergeActionSettings(
  storedSettings: StoredActionSettings,
  parsedSettings: object,
  faults: ProblemFault[],
): StoredActionSettings {
  const mergedSettings = mergeMembers(storedSettings, pickKnownMembers(parsedSettings, storedSettings))
  const { topic } = mergedSettings.mp
  const settings =
    topic == null ? mergedSettings : { ...mergedSettings, mp: { ...mergedSettings.mp, topic: topic.toLowerCase() } }
  if (Buffer.byteLength(JSON.stringify(settings.environment)) > MAX_ENVIRONMENT_BYTES) {
    faults.push({ pointer: '/settings/environment', detail: 'must have at most 64 KiB as JSON' })
  }
  return settings
}

/** A purpose in any letter case, in lower case. */
function parsePurpose(rawPurpose: string, faults: ProblemFault[]): string {
  const purpose = rawPurpose.toLowerCase()
  if (purpose !== 'marketing' && purpose !== 'service')
    faults.push({ pointer: '/settings/purpose/type', detail: 'must be marketing or service' })
  return purpose
}

function parseCulture(rawCulture: string, faults: ProblemFault[]): string {
  if (isLanguageTag(rawCulture)) return rawCulture
  faults.push({ pointer: '/settings/culture', detail: 'must be a BCP 47 tag such as fr-FR' })
  return rawCulture
}

function parseCountries(rawCountries: readonly string[], faults: ProblemFault[]): string[] {
  const codes = rawCountries.map((text, index) => {
    const code = parseCountryCode(text)
    if (code === undefined)
      faults.push({ pointer: `/settings/countries/${index}`, detail: `"${text}" is not an ISO 3166 alpha-3 code` })
    return code ?? text
  })
  return [...new Set(codes)]
}

/** Reads a content into the one stored. Adds what is wrong to `faults`. */
export function parseActionContent(
  storedContent: StoredActionContent,
  inputContent: NonNullable<ActionBody['content']>,
  faults: ProblemFault[],
): StoredActionContent {
  const domain = inputContent.headers?.from?.domain
  if (domain != null && !isSenderDomain(domain)) {
    faults.push({ pointer: '/content/headers/from/domain', detail: 'must be a domain name such as mail.shop.example' })
  }
  const { design: _, ...otherMembers } = inputContent
  return mergeMembers(storedContent, pickKnownMembers(otherMembers, storedContent))
}

/** True if the text is a domain name with at least one dot; letters beyond ASCII are allowed. */
function isDomainName(text: string): boolean {
  return /^([a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/.test(domainToASCII(text))
}

/** True if the text names the domain of a sender: a domain name, or the keyword for the domain of the profile. */
export function isSenderDomain(text: string): boolean {
  return isProfileDomainName(text) || isDomainName(text)
}

/** An instant as it is kept; null clears it. Digits of a zoned start lose their offset. */
function parseSchedulerDate(
  rawDate: string | number | null,
  pointer: string,
  faults: ProblemFault[],
  isZoned = false,
): string | null {
  if (rawDate === null) return null
  const isTooLong = typeof rawDate === 'string' && rawDate.length > MAX_INSTANT_CHARACTERS
  const instant = isTooLong
    ? undefined
    : parseInstant(
        isZoned && typeof rawDate === 'string' ? rawDate.trim().replace(CLOCK_OFFSET_PATTERN, '$1') : rawDate,
      )
  if (instant !== undefined) return new Date(instant).toISOString()
  faults.push({ pointer, detail: INVALID_DATE_DETAIL })
  return null
}

/** Reads a scheduler into the one stored. Adds what is wrong to `faults`. */
export function parseActionScheduler(
  storedScheduler: StoredActionScheduler,
  inputScheduler: NonNullable<ActionBody['scheduler']>,
  faults: ProblemFault[],
): StoredActionScheduler {
  const { segments: _, startDate, endDate, ...otherMembers } = inputScheduler
  const mergedScheduler = mergeMembers(storedScheduler, otherMembers)
  const isZoned = mergedScheduler.type === 'timeZoneSchedule'
  if (startDate !== undefined)
    mergedScheduler.startDate = parseSchedulerDate(startDate, '/scheduler/startDate', faults, isZoned)
  if (endDate !== undefined) mergedScheduler.endDate = parseSchedulerDate(endDate, '/scheduler/endDate', faults)
  if (mergedScheduler.type === 'asap') mergedScheduler.startDate = null
  if (mergedScheduler.type !== 'bestTime') delete mergedScheduler.windowHours
  delete mergedScheduler.startsAt
  if (isZoned && mergedScheduler.startDate !== null && !isValidInEveryZone(mergedScheduler.startDate))
    faults.push({ pointer: '/scheduler/startDate', detail: `${INVALID_DATE_DETAIL}, in every time zone` })
  if (
    mergedScheduler.startDate !== null &&
    mergedScheduler.endDate !== null &&
    mergedScheduler.endDate <= computeEarliestStart(mergedScheduler.startDate, isZoned)
  ) {
    faults.push({ pointer: '/scheduler/endDate', detail: 'must be after startDate' })
  }
  return mergedScheduler
}

/** True if a zoned start is a valid calendar date and time in every zone. */
function isValidInEveryZone(startDate: string): boolean {
  const instant = Date.parse(startDate)
  return [-MAX_ZONE_OFFSET_MS, MAX_ZONE_OFFSET_MS].every(
    (distance) => formatIsoInstant(instant + distance) !== undefined,
  )
}

/** Earliest time at which a zoned start occurs in any time zone: fourteen hours before UTC. */
export function computeEarliestStart(startDate: string, isZoned: boolean): string {
  return isZoned ? new Date(Date.parse(startDate) - MAX_ZONE_OFFSET_MS).toISOString() : startDate
}
