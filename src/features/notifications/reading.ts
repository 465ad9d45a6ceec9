import type { ProblemFault } from '../../lib/errors/problem.ts'
import { isLanguageTag } from '../accounts/sending-settings-faults.ts'
import { createPushVersion, parsePushVersions } from './content/version-list.ts'
import type { NotificationBody } from './notification-schemas.ts'
import { parsePushExpiration } from './sends/expirations.ts'
import { parseNotificationTask, parseTaskSegments, type TaskParseContext } from './sends/tasks.ts'
import type { NotificationDefinition } from './stored.ts'

/** What a body is read with. */
export interface NotificationParseContext extends TaskParseContext {
  /** Of the account. */
  culture: string
}

/** What a notification has that says nothing but its name. */
export function createNotificationContent(name: string, culture: string): NotificationDefinition {
  return {
    ...{ name, description: null, application: null, urgent: false, purpose: 'marketing', expiration: null },
    ...{ mp: {}, culture, task: null, segments: { selected: [], excluded: [] }, versions: [] },
  }
}

function readPurpose(given: string, faults: ProblemFault[]): NotificationDefinition['purpose'] {
  const purpose = given.toLowerCase()
  if (purpose === 'service' || purpose === 'marketing') return purpose
  faults.push({ pointer: '/settings/purpose/type', detail: 'must be marketing or service' })
  return 'marketing'
}

function readCulture(given: string, faults: ProblemFault[]): string {
  if (!isLanguageTag(given)) faults.push({ pointer: '/settings/culture', detail: 'must be a BCP 47 tag such as fr-FR' })
  return given
}

function readExpirationOf(
  stored: NotificationDefinition,
  given: NonNullable<NotificationBody['settings']>['expiration'],
  faults: ProblemFault[],
): NotificationDefinition['expiration'] {
  if (given === undefined) return stored.expiration
  return given && parsePushExpiration(given, '/settings/expiration', faults)
}

function readSettings(
  stored: NotificationDefinition,
  given: NotificationBody['settings'],
  reading: NotificationParseContext,
) {
  const { application, urgent, purpose, expiration, mp, culture } = given ?? {}
  const { faults } = reading
  const pressure = Object.fromEntries(Object.entries(mp ?? {}).filter(([, value]) => value !== undefined))
  return {
    application: application === undefined ? stored.application : (application?.toLowerCase() ?? null),
    urgent: urgent ?? stored.urgent,
    purpose: purpose?.type === undefined ? stored.purpose : readPurpose(purpose.type, faults),
    expiration: readExpirationOf(stored, expiration, faults),
    mp: { ...stored.mp, ...pressure },
    culture: culture === undefined ? stored.culture : readCulture(culture ?? reading.culture, faults),
  }
}

function readVersionsOf(
  stored: NotificationDefinition,
  given: NotificationBody['versions'],
  { now, faults }: NotificationParseContext,
) {
  const isNew = stored.versions.length === 0
  if (given) return parsePushVersions(isNew ? undefined : stored.versions, given, now, faults)
  return isNew ? [createPushVersion(now)] : stored.versions
}

/**
 * A notification with the members of a body in place of its own; one without versions is new. What is wrong is added to
 * `reading.faults`.
 */
export function parseNotificationContent(
  stored: NotificationDefinition,
  { name, description, settings, task, versions }: NotificationBody,
  reading: NotificationParseContext,
): NotificationDefinition {
  const read = name?.trim().normalize('NFC')
  if (read === '') reading.faults.push({ pointer: '/name', detail: 'must not be blank' })
  return {
    name: read ?? stored.name,
    description: description === undefined ? stored.description : description,
    ...readSettings(stored, settings, reading),
    task: parseNotificationTask(stored.task, task, reading),
    segments: parseTaskSegments(stored.segments, task),
    versions: readVersionsOf(stored, versions, reading),
  }
}
