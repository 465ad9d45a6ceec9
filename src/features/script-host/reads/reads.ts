import { sql } from 'kysely'
import { parseInt32Id } from '../../../lib/ids.ts'
import { ScriptHostError } from '../../../scripting/sandbox/types.ts'
import { loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import { readScriptContact } from './contact-reads.ts'
import { listContactEvents } from './event-list.ts'
import { findScriptContactId } from './named-contacts.ts'
import type { ScriptReadFunction } from './read-types.ts'

const readTarget: ScriptReadFunction = async (context, [identification]) => {
  const { db, account } = context
  const contact = await findScriptContactId(db, account, identification)
  return contact === undefined ? null : readScriptContact(context, account, contact)
}

const isContactInSegment: ScriptReadFunction = async ({ db, account, now }, [rawSegment, identification]) => {
  const segmentId = parseInt32Id(String(rawSegment))
  const { rows } = await sql`select from segments where account = ${account} and id = ${segmentId ?? null}`.execute(db)
  if (segmentId === undefined || rows.length === 0) throw new ScriptHostError('There is no such segment.')
  const contact = await findScriptContactId(db, account, identification)
  if (contact === undefined) return false
  const audienceQuery = await loadSegmentAudience(
    db,
    account,
    { selected: [segmentId], excluded: [] },
    { now, among: [contact] },
  )
  const { rows: memberRows } = await sql`select from (${audienceQuery}) m where contact = ${contact}`.execute(db)
  return memberRows.length > 0
}

/** Functions of the host that read, by the names that scripts call them by. */
export const scriptReads: ReadonlyMap<string, ScriptReadFunction> = new Map([
  ['targets.get', readTarget],
  ['segments.contains', isContactInSegment],
  ['events.list', listContactEvents],
])
