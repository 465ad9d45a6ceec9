import { type RawBuilder, sql } from 'kysely'
import { addressFieldTypes } from '../../channels/channel-traits.ts'
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
const CONCURRENT_WRITE_MS = 30_000

/** Interval after which an erasure checks again if old events are available. */
const RETRY_INTERVAL_MS = 60_000

/** Shorter texts occur in others by chance. */
const MIN_NAME_LENGTH = 3

interface ContactTraces {
  contacts: readonly number[]
  /** Limits the events to those published since. */
  since?: Date
  /** Other names of the contacts. */
  names?: ErasedContacts['names']
}

/** Returns those of the given contacts that exist, or of which data is stored. */
async function filterKnownContacts(tx: Db, account: AccountId, contacts: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from contacts where account = ${account} and id = any(${contacts}::bigint[])`.execute(tx)
  const storedIds = new Set(rows.map(({ id }) => id))
  for (const findTraces of [
    findContactsWithEvents,
    listContactsWithMessages,
    findContactsWithArchives,
    findContactsWithCounters,
    contactsWithCustomEvents,
    findContactsWithWebtaskRuns,
    // Last: it may be away.
    findHistoryContacts,
  ]) {
    const otherIds = contacts.filter((id) => !storedIds.has(id))
    for (const id of otherIds.length === 0 ? [] : await findTraces(tx, account, otherIds)) storedIds.add(id)
  }
  return [...storedIds]
}

/** The unicities and addresses of contacts: as they have them now, and as what is kept of them has them. */
async function collectNames(
  tx: Db,
  account: AccountId,
  { contacts, since, names: others = [] }: ContactTraces,
): Promise<ErasedContacts['names']> {
  const { rows } = await sql<ErasedContacts['names'][number]>`
    select id as contact, unicity as name from contacts where account = ${account} and id = any(${contacts}::bigint[])
    union
    select c.id, c.fields ->> f.id::text from contacts c
    join fields f on f.account = c.account and f.type = any(${addressFieldTypes}::text[]) and c.fields ? f.id::text
    where c.account = ${account} and c.id = any(${contacts}::bigint[])`.execute(tx)
  const recordedNames = [
    await findEventUnicities(tx, account, { contacts, since }),
    await listMessageAddresses(tx, account, contacts),
  ]
  const searchableNames = [...rows, ...recordedNames.flat(), ...others].filter(
    ({ name }) => name.length >= MIN_NAME_LENGTH,
  )
  return [
    ...new Map(searchableNames.map((nameEntry) => [`${nameEntry.contact} ${nameEntry.name}`, nameEntry])).values(),
  ]
}

function buildNamesTable({ names }: ErasedContacts): RawBuilder<unknown> {
  return sql`unnest(${names.map(({ contact }) => contact)}::bigint[], ${names.map(({ name }) => name)}::text[]) as n(contact, name)`
}

/**
 * Red lists retain the contacts removed from them, and keyed hashes of addresses whose owners refuse messages. Details entered by hand are
 * deleted if they hold a value of the contact.
 */
async function eraseRedListDetails(tx: Db, account: AccountId, erased: ErasedContacts): Promise<void> {
  const { contacts } = erased
  await sql`
    update red_list set detail = '{}'
    where account = ${account} and contact = any(${contacts}::bigint[]) and detail <> '{}'`.execute(tx)
  await sql`
    with known as materialized (
      select contact, array_agg(name) as names from (
        select contact, name from ${buildNamesTable(erased)}
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
      and exists (select from ${buildNamesTable(erased)} where strpos(lower(m.detail::text), lower(n.name)) > 0)`.execute(
    tx,
  )
}

/** Names that can be taken out of texts: they do not occur by chance. */
function filterDistinctiveNames(names: ErasedContacts['names']): string[] {
  return expandErasedNames(names)
    .map(({ name }) => name)
    .filter((name) => /[@+%]/.test(name) && !/["\\]/.test(name))
}

/**
 * Erases all data stored about contacts in addition to their own record. Returns the stamps of messages to others that named them, and
 * their names.
 */
async function eraseTraces(
  tx: Db,
  account: AccountId,
  traces: ContactTraces,
  masterKeys: MasterKeys,
): Promise<{ stamps: string[]; names: ErasedContacts['names'] }> {
  // Few contacts have very much data; erasing it may take long.
  await sql`set local statement_timeout = 0`.execute(tx)
  const { contacts, since } = traces
  const names = await collectNames(tx, account, traces)
  const erasedContacts = { contacts, names }
  const stamps = await eraseMessages(tx, account, erasedContacts)
  await eraseArchives(tx, account, erasedContacts)
  await eraseActionExports(tx, account, contacts)
  await sql`
    insert into erased_contacts (account, contact) select ${account}, unnest(${contacts}::bigint[])
    on conflict do nothing`.execute(tx)
  await eraseContactEvents(tx, account, { contacts, since })
  await eraseEventNames(tx, account, { stamps, names: filterDistinctiveNames(names) })
  const nameTexts = names.map(({ name }) => name)
  await eraseLineRejects(tx, account, nameTexts.map(foldUnicodeCase))
  await eraseUnmatchedReports(tx, nameTexts)
  await erasePhoneCapabilities(tx, account, erasedContacts)
  await eraseSubscriptions(tx, account, erasedContacts)
  await erasePressureCounters(tx, account, contacts)
  await eraseCustomEvents(tx, account, contacts)
  await eraseRedListDetails(tx, account, erasedContacts)
  await eraseEntryKeys(tx, account, nameTexts)
  await eraseWebtaskRuns(tx, account, erasedContacts)
  await eraseRetainedAnswers(tx, account, erasedContacts, masterKeys)
  return { stamps, names }
}

/** Events that this transaction does not see are published later than this, by the database's clock. */
async function readErasureStart(tx: Db): Promise<string> {
  const { rows } = await sql<{ since: Date }>`select now() - interval '1 minute' as since`.execute(tx)
  return rows[0]?.since.toISOString() ?? ''
}

/**
 * Erases the data stored about contacts in addition to their own record, in the caller's transaction; existing contacts are erased before
 * they are deleted. Their ids and all counts remain. Returns the contacts that exist or of which any data is stored. Files are deleted
 * once this is committed, and concurrent writes half a minute later.
 */
export async function eraseContactTraces(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
  { clock, masterKeys }: Pick<ServiceContext, 'clock' | 'masterKeys'>,
): Promise<number[]> {
  const knownContacts = await filterKnownContacts(tx, account, contacts)
  if (knownContacts.length === 0) return knownContacts
  const { stamps, names } = await eraseTraces(tx, account, { contacts: knownContacts }, masterKeys)
  const payload = { account, contacts: knownContacts, stamps, since: await readErasureStart(tx) }
  const sealedNames = sealNames(masterKeys, account, names)
  for (const { since, runAt } of [
    { since: undefined, runAt: undefined },
    { since: new Date(payload.since), runAt: new Date(clock.now() + CONCURRENT_WRITE_MS) },
  ]) {
    const erasure = await recordHistoryErasure(tx, account, { contacts: knownContacts, stamps, since })
    const historyPart = erasure === undefined ? {} : { history: { erasure, names: sealedNames } }
    await enqueueTask(tx, 'contacts.erase', { ...payload, ...historyPart }, runAt && { runAt })
  }
  return knownContacts
}

const buildSealPurpose = (account: AccountId): string => `names of an erasure of ${account}`

function sealNames(masterKeys: MasterKeys, account: AccountId, names: ErasedContacts['names']): string {
  return sealWithMasterKey(masterKeys, JSON.stringify(names), buildSealPurpose(account)).toString('base64')
}

type ErasureContext = Pick<ServiceContext, 'db' | 'pool' | 'config' | 'clock' | 'log' | 'masterKeys'>

/**
 * Erases again what is kept of contacts that were erased, and their files, and then their old events. `signal` may abort it; it
 * can be repeated. While old events are away, it is done again until they are not.
 */
export async function finishContactErasure(
  context: ErasureContext,
  payload: TaskPayloads['contacts.erase'],
  signal?: AbortSignal,
): Promise<void> {
  const { history } = payload
  if (history === undefined) return void (await repeatErasure(context, payload, [], signal))
  try {
    await eraseWithHistory(context, { ...payload, history }, signal)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'event-history-away')) throw error
    context.log.warn({ err: error, contacts: payload.contacts.length }, 'an erasure waits for the events store')
    await repeatErasure(context, payload, [], signal)
    // A job of its own, as attempts of one have an end.
    const runAt = new Date(context.clock.now() + RETRY_INTERVAL_MS)
    await enqueueTask(context.db, 'contacts.erase', payload, { runAt, key: `contacts.erase ${history.erasure}` })
  }
}

/** Names of the contacts in old events lead to further data, which is erased before those events. */
async function eraseWithHistory(
  context: ErasureContext,
  payload: TaskPayloads['contacts.erase'] & { history: { erasure: number; names: string } },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { account, contacts, history } = payload
  const sealedBytes = Buffer.from(history.names, 'base64')
  const knownNames: ErasedContacts['names'] = JSON.parse(
    unsealWithMasterKey(context.masterKeys, sealedBytes, buildSealPurpose(account)).toString(),
  )
  // Others may have got the names that were erased with the contact.
  const erasedNames = new Set(knownNames.map(({ name }) => name))
  const olderNames = (await findHistoryUnicities(context.db, account, contacts)).filter(
    ({ name }) => !erasedNames.has(name),
  )
  const additionalNames = await repeatErasure(context, payload, olderNames, signal)
  const distinctiveNames = filterDistinctiveNames([...knownNames, ...additionalNames])
  await eraseEventHistory(context, account, { erasure: history.erasure, names: distinctiveNames }, signal)
}

/** Erases in the database what was written while the contacts were erased, and what names lead to. Gives what is found of names. */
async function repeatErasure(
  { db, config, masterKeys, ...context }: ErasureContext,
  { account, contacts, stamps, since, history }: TaskPayloads['contacts.erase'],
  names: ErasedContacts['names'],
  signal: AbortSignal | undefined,
): Promise<ErasedContacts['names']> {
  const traces = { contacts, since: new Date(since), names }
  const newNames = await inRetriedTransaction(db, async (tx) => {
    const erasedTraces = await eraseTraces(tx, account, traces, masterKeys)
    if (history !== undefined) await addErasureStamps(tx, account, history.erasure, erasedTraces.stamps)
    return erasedTraces
  })
  signal?.throwIfAborted()
  await eraseCapturedMessages(
    { db, dataDir: config.dataDir },
    account,
    { contacts, stamps: [...stamps, ...newNames.stamps] },
    signal,
  )
  signal?.throwIfAborted()
  await purgeActionExports({ ...context, db, config })
  return newNames.names
}
