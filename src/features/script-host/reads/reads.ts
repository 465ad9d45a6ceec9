import { sql } from 'kysely'
import { parseInt32Id } from '../../../lib/ids.ts'
import { ScriptHostError } from '../../../scripting/sandbox/types.ts'
import { loadSegmentAudience } from '../../segments/members/audience.ts'
import { readScriptContact } from './contact-reads.ts'
import { listContactEvents } from './event-list.ts'
import { findScriptContactId } from './named-contacts.ts'
import type { ScriptReadFunction } from './read-types.ts'

const getTarget: ScriptReadFunction = async (context, [identification]) => {
  const { db, account } = context
  const contact = await findScriptContactId(db, account, identification)
  return contact === undefined ? null : readScriptContact(context, account, contact)
}

const segmentContains: ScriptReadFunction = async ({ db, account, now }, [given, identification]) => {
  const segment = parseInt32Id(String(given))
  const { rows } = await sql`select from segments where account = ${account} and id = ${segment ?? null}`.execute(db)
  if (segment === undefined || rows.length === 0) throw new ScriptHostError('There is no such segment.')
  const contact = await findScriptContactId(db, account, identification)
  if (contact === undefined) return false
  const members = await loadSegmentAudience(
    db,
    account,
    { selected: [segment], excluded: [] },
    { now, among: [contact] },
  )
  const { rows: found } = await sql`select from (${members}) m where contact = ${contact}`.execute(db)
  return found.length > 0
}

/** Functions of the host that read, by the names that scripts call them by. */
export const scriptReads: ReadonlyMap<string, ScriptReadFunction> = new Map([
  ['targets.get', getTarget],
  ['segments.contains', segmentContains],
  ['events.list', listContactEvents],
])
