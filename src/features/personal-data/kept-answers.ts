import { sql } from 'kysely'
import { type Db, json } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { contactId } from '../../lib/ids.ts'
import type { Erased } from '../messages/erasure.ts'

/** What a repeated request is answered when the first answer told of somebody who was erased since. */
const gone = {
  type: 'urn:stentor:problem:answer-erased',
  title: 'Gone',
  status: 410,
  detail: 'The request was carried out. Its answer told of a contact that was erased since, and is not kept.',
}

/**
 * Erases answers that are kept for repeated requests. Answers quote what they name, in JSON as in their messages, so
 * they are compared piece by piece between quotes, of which escaped ones leave a backslash: once through the answers of
 * a day, however many contacts.
 */
async function eraseAnswers(tx: Db, account: AccountId, { contacts, names }: Erased): Promise<void> {
  const sought = [...contacts.map(contactId), ...names.map(({ name }) => name)]
  await sql`
    update idempotency_keys k set status = ${gone.status}, body = convert_to(${json(gone)}, 'UTF8'),
      headers = '{"content-type":"application/problem+json; charset=utf-8"}'
    from (
      select distinct a.key
      from idempotency_keys a
      cross join lateral string_to_table(lower(convert_from(a.body, 'UTF8')), '"') piece
      join (select distinct lower(s) as sought from unnest(${sought}::text[]) s) n on n.sought = rtrim(piece, '\\')
      where a.account = ${account} and a.headers ->> 'content-type' like '%json%') told
    where k.account = ${account} and k.key = told.key`.execute(tx)
}

/** Takes the unicities of contacts out of the results of jobs that listed them as deleted. */
async function eraseResults(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  const ids = contacts.map(contactId)
  await sql`
    update jobs j set result = (
      select json_agg(case when item ->> 'id' = any(${ids}::text[])
        then json_build_object('id', item ->> 'id', 'unicity', '[]'::json) else item end order by place)
      from json_array_elements(j.result) with ordinality r(item, place))
    where j.account = ${account} and j.type = 'targets.deletion' and json_typeof(j.result) = 'array'
      and exists (select from json_array_elements(j.result) item where item ->> 'id' = any(${ids}::text[]))`.execute(tx)
  await sql`
    update job_contacts c set shown = json_build_object('id', c.shown ->> 'id', 'unicity', '[]'::json)
    from jobs j where j.account = ${account} and j.state in ('queued', 'running') and c.job = j.id
      and c.contact = any(${contacts}::bigint[]) and c.shown is not null`.execute(tx)
}

/** Erases what answers that can be asked for again say of contacts. */
export async function eraseKeptAnswers(tx: Db, account: AccountId, erased: Erased): Promise<void> {
  await eraseAnswers(tx, account, erased)
  await eraseResults(tx, account, erased.contacts)
}
