import { sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import { loadAudience } from '../../segments/audience.ts'
import { HostError } from '../sandbox/types.ts'
import { contactNamed, scriptContact } from './contacts.ts'
import type { HostContext } from './context.ts'

/** What reads of scripts work with. */
export interface ReadContext extends Pick<HostContext, 'db' | 'cache'> {
  account: AccountId
  /** Milliseconds. */
  now: number
}

type Read = (context: ReadContext, args: readonly unknown[]) => Promise<unknown>

const getTarget: Read = async (context, [identification]) => {
  const { db, account } = context
  const contact = await contactNamed(db, account, identification)
  return contact === undefined ? null : scriptContact(context, account, contact)
}

const segmentContains: Read = async ({ db, account, now }, [segment, identification]) => {
  const { rows } = await sql`
    select from segments where account = ${account} and id = ${Number.isInteger(segment) ? segment : null}::bigint`.execute(
    db,
  )
  if (rows.length === 0) throw new HostError('There is no such segment.')
  const contact = await contactNamed(db, account, identification)
  if (contact === undefined) return false
  const members = await loadAudience(db, account, { selected: [segment as number], excluded: [] }, now)
  const { rows: found } = await sql`select from (${members}) m where contact = ${contact}`.execute(db)
  return found.length > 0
}

/** Functions of the host that read, by the names that scripts call them by. */
export const reads: ReadonlyMap<string, Read> = new Map([
  ['targets.get', getTarget],
  ['segments.contains', segmentContains],
])
