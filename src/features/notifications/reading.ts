import type { ProblemFault } from '../../lib/errors/problem.ts'
import { isLanguageTag } from '../accounts/sending-settings-faults.ts'
import { createPushVersion, parsePushVersions } from './content/version-list.ts'
import type { NotificationBody } from './notification-schemas.ts'
import { parsePushExpiration } from './sends/expirations.ts'
import { parseNotificationTask, parseTaskSegments, type TaskParseContext } from './sends/tasks.ts'
import type { NotificationDefinition } from './stored.ts'

/** Context for parsing a body. */
export interface NotificationParseContext extends TaskParseContext {
  /** Culture of the account. */
  culture: string
}

/** Content of a new notification that has only a name. */
export function createNotificationContent(name: string, culture: string): NotificationDefinition {
  return {
    name,
    description: null,
    application: null,
    urgent: false,
    purpose: 'marketing',
    expiration: null,
    mp: {},
    culture,
    task: null,
    segments: { selected: [], excluded: [] },
    versions: [],
  }
}

function parsePurpose(rawPurpose: string, faults: ProblemFault[]): NotificationDefinition['purpose'] {
  const purpose = rawPurpose.toLowerCase()
  if (purpose === 'service' || purpose === 'marketing') return purpose
  faults.push({ pointer: '/settings/purpose/type', detail: 'must be marketing or service' })
  return 'marketing'
}

function parseCulture(rawCulture: string, faults: ProblemFault[]): string {
  if (!isLanguageTag(rawCulture))
    faults.push({ pointer: '/settings/culture', detail: 'must be a BCP 47 tag such as fr-FR' })
  return rawCulture
}

function parseExpiration(
  storedNotification: NotificationDefinition,
  expirationInput: NonNullable<NotificationBody['settings']>['expiration'],
  faults: ProblemFault[],
): NotificationDefinition['expiration'] {
  if (expirationInput === undefined) return storedNotification.expiration
  return expirationInput && parsePushExpiration(expirationInput, '/settings/expiration', faults)
}

function parseSettings(
  storedNotification: NotificationDefinition,
  settingsInput: NotificationBody['settings'],
  reading: NotificationParseContext,
) {
  const { application, urgent, purpose, expiration, mp, culture } = settingsInput ?? {}
  const { faults } = reading
  const pressure = Object.fromEntries(Object.entries(mp ?? {}).filter(([, value]) => value !== undefined))
  return {
    application: application === undefined ? storedNotification.application : (application?.toLowerCase() ?? null),
    urgent: urgent ?? storedNotification.urgent,
    purpose: purpose?.type === undefined ? storedNotification.purpose : parsePurpose(purpose.type, faults),
    expiration: parseExpiration(storedNotification, expiration, faults),
    mp: { ...storedNotification.mp, ...pressure },
    culture: culture === undefined ? storedNotification.culture : parseCulture(culture ?? reading.culture, faults),
  }
}

function parseVersions(
  storedNotification: NotificationDefinition,
  versionsInput: NotificationBody['versions'],
  { now, faults }: NotificationParseContext,
) {
  const isNew = storedNotification.versions.length === 0
  if (versionsInput)
    return parsePushVersions(isNew ? undefined : storedNotification.versions, versionsInput, now, faults)
  return isNew ? [createPushVersion(now)] : storedNotification.versions
}

/**
 * A notification with the members of a body in place of its own; one without versions is new. What is wrong is added to
 * `reading.faults`.
 */
export function parseNotificationContent(
  storedNotification: NotificationDefinition,
  { name, description, settings, task, versions }: NotificationBody,
  reading: NotificationParseContext,
): NotificationDefinition {
  const normalizedName = name?.trim().normalize('NFC')
  if (normalizedName === '') reading.faults.push({ pointer: '/name', detail: 'must not be blank' })
  return {
    name: normalizedName ?? storedNotification.name,
    description: description === undefined ? storedNotification.description : description,
    ...parseSettings(storedNotification, settings, reading),
    task: parseNotificationTask(storedNotification.task, task, reading),
    segments: parseTaskSegments(storedNotification.segments, task),
    versions: parseVersions(storedNotification, versions, reading),
  }
}
