import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import { runEachIsolated } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { readWallClock } from '../../../lib/time/zones.ts'
import { countContacts } from '../../contacts/records/contacts.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import { loadSegmentAudience } from '../members/segment-audience.ts'
import { createMemberComparer, createMemberPacker, unpackMemberIds } from './member-set.ts'

/** Maximum time in milliseconds for reading the members of one segment. */
const MEMBERS_TIMEOUT_MS = 600_000

/** The zone of an account `a`. */
const accountZone = sql`coalesce(a.settings #>> '{contacts,timeZone}', 'UTC')`

/** The day before a date, both `YYYY-MM-DD`. */
function previousDay(date: string): string {
  return new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10)
}

/** Hours after midnight in which a count still stands for the end of the day before. */
const LATEST_COUNT_HOUR = 12

/** Queues the counts of accounts whose day is over and not counted. */
export async function queueAudienceGrowth(db: Db, now: number): Promise<void> {
  const { rows: zoneRows } = await sql<{ zone: string }>`
    select distinct ${accountZone} as zone from accounts a`.execute(db)
  const dueClocks = zoneRows
    .map(({ zone }) => ({ zone, ...readWallClock(now, zone) }))
    .filter(({ hour }) => hour < LATEST_COUNT_HOUR)
  const { rows: dueAccounts } = await sql<{ account: AccountId }>`
    select a.id as account
    from unnest(${dueClocks.map(({ zone }) => zone)}::text[], ${dueClocks.map(({ date }) => previousDay(date))}::date[]) as z (zone, day)
    join accounts a on ${accountZone} = z.zone
    where not exists (
      select from growth_days g where g.account = a.id and g.segment is null and g.day = z.day)`.execute(db)
  for (const { account } of dueAccounts)
    await enqueueTask(db, 'segments.growth', { account }, { key: `segments.growth:${account}` })
}

interface CountedDay {
  account: AccountId
  /** ISO date. */
  day: string
  now: number
}

/** Counts the members of a segment and who came and went since it was counted last; a deleted one is passed over. */
async function countMembers(
  db: Db,
  { account, day, now }: CountedDay,
  segment: number,
  signal?: AbortSignal,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(MEMBERS_TIMEOUT_MS)}, true)`.execute(tx)
    const { rows: storedMembers } = await sql<{ members: Buffer | null }>`
      select g.members from segments s left join growth_members g on g.segment = s.id
      where s.account = ${account} and s.id = ${segment} for key share of s`.execute(tx)
    const [previousMembers] = storedMembers
    if (!previousMembers) return
    const [memberPacker, memberComparer] = [
      createMemberPacker(),
      createMemberComparer(previousMembers.members ? await unpackMemberIds(previousMembers.members) : undefined),
    ]
    const audience = await loadSegmentAudience(tx, account, { selected: [segment], excluded: [] }, now)
    let memberCount = 0
    for await (const { contact } of streamRows(
      tx,
      sql<{ contact: number }>`select contact from (${audience}) m order by contact`,
      { batch: 20_000 },
    )) {
      memberPacker.add(contact)
      memberComparer.add(contact)
      memberCount++
      if (memberCount % 100_000 === 0) signal?.throwIfAborted()
    }
    const { entered: enteredCount, gone: leftCount } = memberComparer.changes()
    await sql`
      insert into growth_members (account, segment, members) values (${account}, ${segment}, ${await memberPacker.packed()})
      on conflict (segment) do update set members = excluded.members`.execute(tx)
    await sql`
      insert into growth_days (account, segment, day, counted_at, contacts, entered, gone)
      values (${account}, ${segment}, ${day}, ${new Date(now)}, ${memberCount}, ${enteredCount}, ${leftCount})
      on conflict do nothing`.execute(tx)
  })
}

/** Counts the contacts that are new since the account was last counted; the number of lost ones follows from the totals. */
export async function readNewContactsSince(
  db: Db,
  account: AccountId,
  now: number,
): Promise<{ contacts: number; entered: number; gone: number }> {
  const contacts = await countContacts(db, account)
  const { rows: previousCounts } = await sql<{ contacts: number; entered: number }>`
    select g.contacts, (
      select count(*) from contacts c
      where c.account = ${account} and c.created_at > g.counted_at and c.created_at <= ${new Date(now)}) as entered
    from growth_days g where g.account = ${account} and g.segment is null order by g.day desc limit 1`.execute(db)
  const [previousCount] = previousCounts
  if (!previousCount) return { contacts, entered: 0, gone: 0 }
  return {
    contacts,
    entered: previousCount.entered,
    gone: Math.max(0, previousCount.contacts + previousCount.entered - contacts),
  }
}

/** The body of the daily job of an account: its segments, then itself, so that a day with a count of its own is complete. */
export async function countAudienceGrowth(
  db: Db,
  { account }: { account: AccountId },
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const { timeZone } = await readContactSettings(db, account)
  const day: CountedDay = { account, day: previousDay(readWallClock(now, timeZone).date), now }
  const { rows: countedDays } = await sql`
    select from growth_days where account = ${account} and segment is null and day = ${day.day}::date`.execute(db)
  if (countedDays.length > 0) return
  const { rows: segments } = await sql<{ id: number }>`
    select s.id from segments s
    where s.account = ${account} and s.expires_at > ${new Date(now)} and not exists (
      select from growth_days g where g.account = s.account and g.segment = s.id and g.day = ${day.day}::date)
    order by s.id`.execute(db)
  const counts = await runEachIsolated(db, 'count growth', segments, {
    subjectOf: ({ id }) => `segment ${id}`,
    async work({ id }) {
      signal?.throwIfAborted()
      await countMembers(db, day, id, signal)
    },
  })
  // Its own count says that its segments have theirs.
  if (counts < segments.length)
    throw new Error(`${segments.length - counts} of ${segments.length} segments could not be counted`)
  const { contacts, entered: enteredCount, gone: leftCount } = await readNewContactsSince(db, account, now)
  await sql`
    insert into growth_days (account, segment, day, counted_at, contacts, entered, gone)
    values (${account}, null, ${day.day}, ${new Date(now)}, ${contacts}, ${enteredCount}, ${leftCount})
    on conflict do nothing`.execute(db)
}
