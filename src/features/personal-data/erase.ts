import { type RawBuilder, sql } from 'kysely'
import { addressFieldTypes } from '../../channels/facts.ts'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import { enqueueTask, type TaskPayloads } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import {
  eraseCapturedMessages,
  eraseMessages,
  expandErasedNames,
  listContactsWithMessages,
  listMessageAddresses,
} from '../../sending/record/erase-messages.ts'
import { eraseActionExports, purgeActionExports } from '../actions/reports/export-files.ts'
import { eraseArchives, findContactsWithArchives } from '../archives/archive-keeping.ts'
import type { ErasedContacts } from '../contacts/records/erased.ts'
import { eraseContactEvents, eraseEventNames, findContactsWithEvents, findEventUnicities } from '../events/erasure.ts'
import {
  addErasureStamps,
  eraseEventHistory,
  findHistoryContacts,
  findHistoryUnicities,
  recordHistoryErasure,
} from '../events/store/store-erasure.ts'
import { eraseLineRejects } from '../imports/run/erasure.ts'
import { eraseUnmatchedReports } from '../inbound/erasure.ts'
import { contactsWithCustomEvents, eraseCustomEvents } from '../notices/custom.ts'
import { erasePressureCounters, findContactsWithCounters } from '../pressure/erasure.ts'
import { erasePhoneCapabilities } from '../rcs-profiles/erasure.ts'
import { eraseSubscriptions } from '../subscriptions/erasure.ts'
import { eraseWebtaskRuns, findContactsWithWebtaskRuns } from '../webtasks/executions/erasure.ts'
import { eraseEntryKeys } from '../workflows/runs/erasure.ts'
import { eraseRetainedAnswers } from './kept-answers.ts'

/** Transactions that wrote of a contact while it was erased have ended by then: the database ends them after 20 s. */
const UNDER_WAY_MS = 30_000

/** How long an erasure waits before it looks again whether old events are there. */
const AGAIN_MS = 60_000

/** Shorter texts occur in others by chance. */
const MIN_NAME_LENGTH = 3

interface Traces {
  contacts: readonly number[]
  /** Of the events only those published since. */
  since?: Date
  /** What else they were called. */
  names?: ErasedContacts['names']
}

/** Of these contacts, those that are there, or of which something is kept. */
async function knownOf(tx: Db, account: AccountId, contacts: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from contacts where account = ${account} and id = any(${contacts}::bigint[])`.execute(tx)
  const known = new Set(rows.map(({ id }) => id))
  for (const find of [
    findContactsWithEvents,
    listContactsWithMessages,
    findContactsWithArchives,
    findContactsWithCounters,
    contactsWithCustomEvents,
    findContactsWithWebtaskRuns,
    // Last: it may be away.
    findHistoryContacts,
  ]) {
    const others = contacts.filter((id) => !known.has(id))
    for (const id of others.length === 0 ? [] : await find(tx, account, others)) known.add(id)
  }
  return [...known]
}

/** The unicities and addresses of contacts: as they have them now, and as what is kept of them has them. */
async function namesOf(
  tx: Db,
  account: AccountId,
  { contacts, since, names: others = [] }: Traces,
): Promise<ErasedContacts['names']> {
  const { rows } = await sql<ErasedContacts['names'][number]>`
    select id as contact, unicity as name from contacts where account = ${account} and id = any(${contacts}::bigint[])
    union
    select c.id, c.fields ->> f.id::text from contacts c
    join fields f on f.account = c.account and f.type = any(${addressFieldTypes}::text[]) and c.fields ? f.id::text
    where c.account = ${account} and c.id = any(${contacts}::bigint[])`.execute(tx)
  const kept = [
    await findEventUnicities(tx, account, { contacts, since }),
    await listMessageAddresses(tx, account, contacts),
  ]
  const names = [...rows, ...kept.flat(), ...others].filter(({ name }) => name.length >= MIN_NAME_LENGTH)
  return [...new Map(names.map((one) => [`${one.contact} ${one.name}`, one])).values()]
}

function namesIn({ names }: ErasedContacts): RawBuilder<unknown> {
  return sql`unnest(${names.map(({ contact }) => contact)}::bigint[], ${names.map(({ name }) => name)}::text[]) as n(contact, name)`
}

/**
 * Red lists keep who was taken off one, and keyed hashes of addresses whose owners do not want to be written to. What
 * was written beside that by hand goes where it holds a value of the contact.
 */
async function eraseRedLists(tx: Db, account: AccountId, erased: ErasedContacts): Promise<void> {
  const { contacts } = erased
  await sql`
    update red_list set detail = '{}'
    where account = ${account} and contact = any(${contacts}::bigint[]) and detail <> '{}'`.execute(tx)
  await sql`
    with known as materialized (
      select contact, array_agg(name) as names from (
        select contact, name from ${namesIn(erased)}
        union
        select c.id, value from contacts c, jsonb_each_text(c.fields)
        where c.account = ${account} and c.id = any(${contacts}::bigint[]) and length(value) >= ${MIN_NAME_LENGTH}) v
      group by contact)
    update red_list_removals r set reason = without(r.reason, k.names),
      entry = case when r.entry ->> 'detail' <> without(r.entry ->> 'detail', k.names) then jsonb_set(r.entry, '{detail}', '{}')
        else r.entry end
    from known k where r.account = ${account} and r.contact = k.contact`.execute(tx)
  await sql`
    update red_list_memory m set detail = '{}'
    where account = ${account} and detail - '{action,channel,importId,formId}'::text[] <> '{}'
      and exists (select from ${namesIn(erased)} where strpos(lower(m.detail::text), lower(n.name)) > 0)`.execute(tx)
}

/** Names that can be taken out of texts: they do not occur by chance. */
function safe(names: ErasedContacts['names']): string[] {
  return expandErasedNames(names)
    .map(({ name }) => name)
    .filter((name) => /[@+%]/.test(name) && !/["\\]/.test(name))
}

/**
 * Erases whatever is kept of contacts beside their own record. Gives the stamps of messages to others that named them, and what
 * they were called.
 */
async function eraseTraces(
  tx: Db,
  account: AccountId,
  traces: Traces,
  masterKeys: MasterKeys,
): Promise<{ stamps: string[]; names: ErasedContacts['names'] }> {
  // Few contacts have very much data; erasing it may take long.
  await sql`set local statement_timeout = 0`.execute(tx)
  const { contacts, since } = traces
  const names = await namesOf(tx, account, traces)
  const erased = { contacts, names }
  const stamps = await eraseMessages(tx, account, erased)
  await eraseArchives(tx, account, erased)
  await eraseActionExports(tx, account, contacts)
  await sql`
    insert into erased_contacts (account, contact) select ${account}, unnest(${contacts}::bigint[])
    on conflict do nothing`.execute(tx)
  await eraseContactEvents(tx, account, { contacts, since })
  await eraseEventNames(tx, account, { stamps, names: safe(names) })
  const texts = names.map(({ name }) => name)
  await eraseLineRejects(tx, account, texts.map(foldUnicodeCase))
  await eraseUnmatchedReports(tx, texts)
  await erasePhoneCapabilities(tx, account, erased)
  await eraseSubscriptions(tx, account, erased)
  await erasePressureCounters(tx, account, contacts)
  await eraseCustomEvents(tx, account, contacts)
  await eraseRedLists(tx, account, erased)
  await eraseEntryKeys(tx, account, texts)
  await eraseWebtaskRuns(tx, account, erased)
  await eraseRetainedAnswers(tx, account, erased, masterKeys)
  return { stamps, names }
}

/** Events that this transaction does not see are published later than this, by the database's clock. */
async function beginning(tx: Db): Promise<string> {
  const { rows } = await sql<{ since: Date }>`select now() - interval '1 minute' as since`.execute(tx)
  return rows[0]?.since.toISOString() ?? ''
}

/**
 * Erases what is kept of contacts beside their own record, in the caller's transaction; of those that are there, before
 * they are deleted. Their ids stay, with every count. Gives the contacts that are there or of which anything is kept.
 * Files are deleted once this is committed, and concurrent writes half a minute later.
 */
export async function eraseContactTraces(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
  { clock, masterKeys }: Pick<ServiceContext, 'clock' | 'masterKeys'>,
): Promise<number[]> {
  const known = await knownOf(tx, account, contacts)
  if (known.length === 0) return known
  const { stamps, names } = await eraseTraces(tx, account, { contacts: known }, masterKeys)
  const payload = { account, contacts: known, stamps, since: await beginning(tx) }
  const sealed = sealNames(masterKeys, account, names)
  for (const { since, runAt } of [
    { since: undefined, runAt: undefined },
    { since: new Date(payload.since), runAt: new Date(clock.now() + UNDER_WAY_MS) },
  ]) {
    const erasure = await recordHistoryErasure(tx, account, { contacts: known, stamps, since })
    const history = erasure === undefined ? {} : { history: { erasure, names: sealed } }
    await enqueueTask(tx, 'contacts.erase', { ...payload, ...history }, runAt && { runAt })
  }
  return known
}

const sealedFor = (account: AccountId): string => `names of an erasure of ${account}`

function sealNames(masterKeys: MasterKeys, account: AccountId, names: ErasedContacts['names']): string {
  return sealWithMasterKey(masterKeys, JSON.stringify(names), sealedFor(account)).toString('base64')
}

type Erasing = Pick<ServiceContext, 'db' | 'pool' | 'config' | 'clock' | 'log' | 'masterKeys'>

/**
 * Erases again what is kept of contacts that were erased, and their files, and then their old events. `signal` may abort it; it
 * can be repeated. While old events are away, it is done again until they are not.
 */
export async function finishContactErasure(
  context: Erasing,
  payload: TaskPayloads['contacts.erase'],
  signal?: AbortSignal,
): Promise<void> {
  const { history } = payload
  if (history === undefined) return void (await eraseAgain(context, payload, [], signal))
  try {
    await eraseWithHistory(context, { ...payload, history }, signal)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'event-history-away')) throw error
    context.log.warn({ err: error, contacts: payload.contacts.length }, 'an erasure waits for the events store')
    await eraseAgain(context, payload, [], signal)
    // A job of its own, as attempts of one have an end.
    const runAt = new Date(context.clock.now() + AGAIN_MS)
    await enqueueTask(context.db, 'contacts.erase', payload, { runAt, key: `contacts.erase ${history.erasure}` })
  }
}

/** What old events call the contacts leads to more that is to be erased before them. */
async function eraseWithHistory(
  context: Erasing,
  payload: TaskPayloads['contacts.erase'] & { history: { erasure: number; names: string } },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { account, contacts, history } = payload
  const sealed = Buffer.from(history.names, 'base64')
  const known: ErasedContacts['names'] = JSON.parse(
    unsealWithMasterKey(context.masterKeys, sealed, sealedFor(account)).toString(),
  )
  // Others may have got the names that were erased with the contact.
  const erased = new Set(known.map(({ name }) => name))
  const old = (await findHistoryUnicities(context.db, account, contacts)).filter(({ name }) => !erased.has(name))
  const found = await eraseAgain(context, payload, old, signal)
  const names = safe([...known, ...found])
  await eraseEventHistory(context, account, { erasure: history.erasure, names }, signal)
}

/** Erases in the database what was written while the contacts were erased, and what names lead to. Gives what is found of names. */
async function eraseAgain(
  { db, config, masterKeys, ...context }: Erasing,
  { account, contacts, stamps, since, history }: TaskPayloads['contacts.erase'],
  names: ErasedContacts['names'],
  signal: AbortSignal | undefined,
): Promise<ErasedContacts['names']> {
  const traces = { contacts, since: new Date(since), names }
  const more = await inRetriedTransaction(db, async (tx) => {
    const found = await eraseTraces(tx, account, traces, masterKeys)
    if (history !== undefined) await addErasureStamps(tx, account, history.erasure, found.stamps)
    return found
  })
  signal?.throwIfAborted()
  await eraseCapturedMessages(
    { db, dataDir: config.dataDir },
    account,
    { contacts, stamps: [...stamps, ...more.stamps] },
    signal,
  )
  signal?.throwIfAborted()
  await purgeActionExports({ ...context, db, config })
  return more.names
}
