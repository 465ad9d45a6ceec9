import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { formatContactId } from '../../lib/ids.ts'
import { type IdempotentAnswerKey, sealIdempotentAnswer, unsealIdempotentAnswer } from '../../lib/kept-answers.ts'
import type { ErasedContacts } from '../contacts/records/erased.ts'

/** The answer to a repeated request whose first answer named a contact that was erased since. */
const erasedAnswer = {
  type: 'urn:stentor:problem:answer-erased',
  title: 'Gone',
  status: 410,
  detail:
    'The request was carried out. Its response named a contact that has since been erased, so it is not available.',
}

/** Answers read at once: one may name a thousand contacts. */
const READ_BATCH_SIZE = 50

/**
 * Returns true if an answer quotes any of these texts, in lower case. The parts between quotes are compared, in its JSON and its messages.
 */
function isQuotingAny(answer: string, sought: ReadonlySet<string>): boolean {
  // Escaped quotes leave a backslash.
  return answer
    .toLowerCase()
    .split('"')
    .some((piece) => sought.has(piece.replace(/(?<!\\)\\+$/, '')))
}

/** The text of an answer; undefined when its master key is lost, so that it cannot be read. */
function unsealAnswer(masterKeys: MasterKeys, of: IdempotentAnswerKey, sealed: Uint8Array): string | undefined {
  try {
    return unsealIdempotentAnswer(masterKeys, of, sealed).toString()
  } catch {
    return undefined
  }
}

/**
 * Erases answers that are kept for repeated requests, including unreadable ones. They are sealed, so those of a day are
 * opened one by one, once for all contacts.
 */
async function eraseAnswers(
  tx: Db,
  account: AccountId,
  { contacts, names }: ErasedContacts,
  masterKeys: MasterKeys,
): Promise<void> {
  const soughtTexts = new Set(
    [...contacts.map(formatContactId), ...names.map(({ name }) => name)].map((text) => text.toLowerCase()),
  )
  const storedAnswers = sql<{ key: string; body: Buffer }>`
    select key, body from idempotency_keys
    where account = ${account} and body is not null and headers ->> 'content-type' like '%json%'`
  const matchingKeys: string[] = []
  for await (const { key, body } of streamRows(tx, storedAnswers, { batch: READ_BATCH_SIZE })) {
    const answerText = unsealAnswer(masterKeys, { account, key }, body)
    if (answerText === undefined || isQuotingAny(answerText, soughtTexts)) matchingKeys.push(key)
  }
  const erasedBodies = matchingKeys.map((key) =>
    sealIdempotentAnswer(masterKeys, { account, key }, JSON.stringify(erasedAnswer)),
  )
  await sql`
    update idempotency_keys k set status = ${erasedAnswer.status}, body = n.body,
      headers = '{"content-type":"application/problem+json; charset=utf-8"}'
    from unnest(${matchingKeys}::text[], ${erasedBodies}::bytea[]) as n (key, body)
    where k.account = ${account} and k.key = n.key`.execute(tx)
}

/** Takes the unicities of contacts out of the results of jobs that listed them as deleted. */
async function eraseJobResults(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  const contactIds = contacts.map(formatContactId)
  await sql`
    update jobs j set result = (
      select json_agg(case when item ->> 'id' = any(${contactIds}::text[])
        then json_build_object('id', item ->> 'id', 'unicity', '[]'::json) else item end order by place)
      from json_array_elements(j.result) with ordinality r(item, place))
    where j.account = ${account} and j.type = 'targets.deletion' and json_typeof(j.result) = 'array'
      and exists (select from json_array_elements(j.result) item where item ->> 'id' = any(${contactIds}::text[]))`.execute(
    tx,
  )
  await sql`
    update job_contacts c set shown = json_build_object('id', c.shown ->> 'id', 'unicity', '[]'::json)
    from jobs j where j.account = ${account} and j.state in ('queued', 'running') and c.job = j.id
      and c.contact = any(${contacts}::bigint[]) and c.shown is not null`.execute(tx)
}

/** Erases what answers that can be asked for again say of contacts. */
export async function eraseRetainedAnswers(
  tx: Db,
  account: AccountId,
  erased: ErasedContacts,
  masterKeys: MasterKeys,
): Promise<void> {
  await eraseAnswers(tx, account, erased, masterKeys)
  await eraseJobResults(tx, account, erased.contacts)
}
