import { sql } from 'kysely'
import { readIntId } from '../../../lib/ids.ts'
import { HostError } from '../../../scripting/sandbox/types.ts'
import { loadAudience } from '../../segments/members/audience.ts'
import { scriptContact } from './contact-reads.ts'
import { listEvents } from './event-list.ts'
import { contactNamed } from './named-contacts.ts'
import type { Read } from './read-types.ts'

const getTarget: Read = async (context, [identification]) => {
  const { db, account } = context
  const contact = await contactNamed(db, account, identification)
  return contact === undefined ? null : scriptContact(context, account, contact)
}

const segmentContains: Read = async ({ db, account, now }, [given, identification]) => {
  const segment = readIntId(String(given))
  const { rows } = await sql`select from segments where account = ${account} and id = ${segment ?? null}`.execute(db)
  if (segment === undefined || rows.length === 0) throw new HostError('There is no such segment.')
  const contact = await contactNamed(db, account, identification)
  if (contact === undefined) return false
  const members = await loadAudience(db, account, { selected: [segment], excluded: [] }, { now, among: [contact] })
  const { rows: found } = await sql`select from (${members}) m where contact = ${contact}`.execute(db)
  return found.length > 0
}

/** Functions of the host that read, by the names that scripts call them by. */
export const reads: ReadonlyMap<string, Read> = new Map([
  ['targets.get', getTarget],
  ['segments.contains', segmentContains],
  ['events.list', listEvents],
])
