import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { ErasedContacts } from '../../contacts/records/erased.ts'
import { redactWebtaskResult } from '../public/stamps.ts'
import { type WebtaskResult, WebtaskRun } from './execution-schemas.ts'

/** Rows of contacts, and those whose text holds a name of one. */
function buildAboutCondition({ contacts, names }: ErasedContacts, text: RawBuilder<unknown>): RawBuilder<unknown> {
  const texts = names.map(({ name }) => name)
  return sql`(contacts && ${contacts}::bigint[]
    or exists (select from unnest(${texts}::text[]) as n (name) where strpos(lower(${text}), lower(n.name)) > 0))`
}

/** Empties what is kept of runs of webtasks that says something of contacts who are erased. */
export async function eraseWebtaskRuns(tx: Db, account: AccountId, erased: ErasedContacts): Promise<void> {
  await sql`
    update webtask_runs set contacts = '{}', logs = '[]',
      error = case when error_type is not null then json_build_object('type', error_type) end
    where account = ${account} and ${buildAboutCondition(erased, sql`concat(error::text, logs::text)`)}`.execute(tx)
  const storedResults = sql<{ stamp: string; result: WebtaskResult }>`
    select stamp, result from webtask_stamps
    where account = ${account} and result is not null and ${buildAboutCondition(erased, sql`result::text`)}`
  const [stamps, results]: [string[], string[]] = [[], []]
  for await (const { stamp, result } of streamRows(tx, storedResults, { batch: 50 })) {
    stamps.push(stamp)
    results.push(JSON.stringify(redactWebtaskResult(result)))
  }
  await sql`
    update webtask_stamps s set contacts = '{}', result = n.result::json
    from unnest(${stamps}::uuid[], ${results}::text[]) as n (stamp, result)
    where s.account = ${account} and s.stamp = n.stamp`.execute(tx)
}

/** Filters contacts: returns those with stored runs of webtasks. */
export async function findContactsWithWebtaskRuns(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<number[]> {
  const { rows: foundRows } = await sql<{ contact: number }>`
    select distinct unnest(contacts) as contact from (
      select contacts from webtask_runs where account = ${account} and contacts && ${contacts}::bigint[]
      union all
      select contacts from webtask_stamps where account = ${account} and contacts && ${contacts}::bigint[]) r`.execute(
    tx,
  )
  const knownContacts = new Set(foundRows.map(({ contact }) => contact))
  return contacts.filter((contact) => knownContacts.has(contact))
}

/** A run of a webtask, as the export of its contact has it. */
export const ContactWebtaskRun = Type.Object({
  id: Type.String({ description: 'ID of the run.' }),
  webtask: Type.Integer({ description: 'ID of the webtask.' }),
  ...Type.Pick(WebtaskRun, ['date', 'outcome', 'durationMs', 'error', 'logs']).properties,
})
export type ContactWebtaskRun = Static<typeof ContactWebtaskRun>

/** Runs of webtasks for a contact, the first one first. */
export async function* streamContactWebtaskRuns(
  db: Db,
  account: AccountId,
  contact: number,
): AsyncGenerator<ContactWebtaskRun> {
  const query = sql<Omit<ContactWebtaskRun, 'date'> & { at: Date }>`
    select id, webtask, at, outcome, duration_ms as "durationMs", error, logs from webtask_runs
    where account = ${account} and contacts @> ${[contact]}::bigint[] order by at, nth`
  for await (const { id, webtask, at, ...row } of streamRows(db, query))
    yield { id, webtask, date: at.toISOString(), ...row }
}
