import type { Fault } from '../../lib/errors/problem.ts'
import { isCulture } from '../accounts/sending-settings-faults.ts'
import { emptyVersion, readVersions } from './content/version-list.ts'
import type { NotificationBody } from './notification-schemas.ts'
import { readExpiration } from './sends/expirations.ts'
import { readSegments, readTask, type TaskReading } from './sends/tasks.ts'
import type { NotificationContent } from './stored.ts'

/** What a body is read with. */
export interface Reading extends TaskReading {
  /** Of the account. */
  culture: string
}

/** What a notification has that says nothing but its name. */
export function newContent(name: string, culture: string): NotificationContent {
  return {
    ...{ name, description: null, application: null, urgent: false, purpose: 'marketing', expiration: null },
    ...{ mp: {}, culture, task: null, segments: { selected: [], excluded: [] }, versions: [] },
  }
}

function readPurpose(given: string, faults: Fault[]): NotificationContent['purpose'] {
  const purpose = given.toLowerCase()
  if (purpose === 'service' || purpose === 'marketing') return purpose
  faults.push({ pointer: '/settings/purpose/type', detail: 'must be marketing or service' })
  return 'marketing'
}

function readCulture(given: string, faults: Fault[]): string {
  if (!isCulture(given)) faults.push({ pointer: '/settings/culture', detail: 'must be a BCP 47 tag such as fr-FR' })
  return given
}

function readExpirationOf(
  stored: NotificationContent,
  given: NonNullable<NotificationBody['settings']>['expiration'],
  faults: Fault[],
): NotificationContent['expiration'] {
  if (given === undefined) return stored.expiration
  return given && readExpiration(given, '/settings/expiration', faults)
}

function readSettings(stored: NotificationContent, given: NotificationBody['settings'], reading: Reading) {
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

function readVersionsOf(stored: NotificationContent, given: NotificationBody['versions'], { now, faults }: Reading) {
  const isNew = stored.versions.length === 0
  if (given) return readVersions(isNew ? undefined : stored.versions, given, now, faults)
  return isNew ? [emptyVersion(now)] : stored.versions
}

/**
 * A notification with the members of a body in place of its own; one without versions is new. What is wrong is added to
 * `reading.faults`.
 */
export function readContent(
  stored: NotificationContent,
  { name, description, settings, task, versions }: NotificationBody,
  reading: Reading,
): NotificationContent {
  const read = name?.trim().normalize('NFC')
  if (read === '') reading.faults.push({ pointer: '/name', detail: 'must not be blank' })
  return {
    name: read ?? stored.name,
    description: description === undefined ? stored.description : description,
    ...readSettings(stored, settings, reading),
    task: readTask(stored.task, task, reading),
    segments: readSegments(stored.segments, task),
    versions: readVersionsOf(stored, versions, reading),
  }
}
