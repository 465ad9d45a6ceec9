import { sql } from 'kysely'
import { type ActionType, channelOfAction } from '../../../channels/facts.ts'
import { families, typesOf } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest, notFound } from '../../../lib/errors/problem.ts'
import { readActionId, readIntId, readUuid } from '../../../lib/ids.ts'
import { contactNamed, findContacts, type Sought } from '../../contacts/records/find.ts'
import type { Channel } from '../kinds/event-kinds.ts'
import type { Selection } from './filters.ts'
import type { Subject } from './scopes.ts'

/** A query as it arrived: a name given twice is an array. */
export type Query = Readonly<Record<string, unknown>>

/** What a subject adds to the selection. */
export type Selected = Pick<
  Selection,
  'channels' | 'subject' | 'display' | 'contact' | 'stamp' | 'thread' | 'phone' | 'agent'
>

export interface SubjectRequest {
  account: AccountId
  channels: readonly Channel[]
  /** The id of the path; '' where there is none. */
  id: string
  query: Query
}

type Resolve = (db: Db, request: SubjectRequest) => Promise<Selected>

/** The one value of a parameter; undefined when it is absent, empty or given twice. */
function once(query: Query, name: string): string | undefined {
  const given = query[name]
  return typeof given === 'string' && given !== '' ? given : undefined
}

/** A deleted action keeps its row, and so its history. Its type gives the channel. */
async function action(db: Db, { account, id }: SubjectRequest): Promise<Selected> {
  const number = readActionId(id)
  const row =
    number !== undefined &&
    (await db
      .selectFrom('actions')
      .select('type')
      .where('account', '=', account)
      .where('id', '=', number)
      .executeTakeFirst())
  if (!row || typesOf(families.action).every((type) => type !== row.type)) throw notFound('action', id)
  return { subject: number, channels: [channelOfAction(row.type as ActionType)] }
}

/** As of other actions: a deleted one keeps its history. */
async function rcsAction(db: Db, { account, channels, id }: SubjectRequest): Promise<Selected> {
  const number = families.rcs.readId(id)
  const { rows } = await sql<{ id: number }>`
    select id from actions
    where account = ${account} and id = ${number ?? null}::integer and type = any(${typesOf(families.rcs)}::text[])`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw notFound(families.rcs.title, id)
  return { channels, subject: row.id }
}

/** A deleted contact is unknown: its events are read with those of the actions. */
async function findContact(db: Db, account: AccountId, sought: Sought): Promise<Selected> {
  const [found] = await findContacts(db, account, [sought])
  if (!found) throw notFound('contact', sought.type === 'footprint' ? sought.id : String(sought.value))
  return { contact: found.id }
}

const identities = ['id', 'unicity', 'hash'] as const

/** The contact of the query: exactly one of id, unicity and hash, once and not empty. */
async function contactOfQuery(db: Db, { account, query }: SubjectRequest): Promise<Selected> {
  const [type, ...others] = identities.filter((identity) => query[identity] !== undefined)
  const value = type && once(query, type)
  if (type === undefined || value === undefined || others.length > 0) {
    throw badRequest(type ?? 'id', 'give exactly one of id, unicity, hash')
  }
  return findContact(db, account, { type, value })
}

/** Exactly one of id and thread; the rest of the query is not looked at. */
async function stamp(_db: Db, { channels, query }: SubjectRequest): Promise<Selected> {
  const [name, ...others] = (['id', 'thread'] as const).filter((member) => query[member] !== undefined)
  if (name === undefined || others.length > 0) throw badRequest(name ?? 'id', 'give exactly one of id, thread')
  const value = readUuid(once(query, name) ?? '')
  if (value === undefined) throw badRequest(name, 'must be a uuid')
  return { channels, [name === 'id' ? 'stamp' : 'thread']: value }
}

/** A leading `+`, `00` or a blank for `+` are read alike. */
async function phone(_db: Db, { channels, query }: SubjectRequest): Promise<Selected> {
  const digits = (once(query, 'phone') ?? '').replace(/^(?:\+|00| )/, '')
  const agent = once(query, 'agent')
  if (!/^[1-9]\d{5,16}$/.test(digits))
    throw badRequest('phone', 'must be a phone number in the form of E.164, such as +33601020304')
  if (agent === undefined) throw badRequest('agent', 'is required')
  return { channels, phone: `+${digits}`, agent }
}

/** A deleted campaign, placement or content keeps its row, and so its history. */
function display(part: 'campaign' | 'placement' | 'content', name: string): Resolve {
  return async (db, { account, channels, id }) => {
    const { rows } = await sql<{ number: number }>`
      select number from ${sql.table(`display_${part}s`)} where account = ${account} and id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw notFound(name, id)
    return part === 'campaign' ? { channels, subject: row.number } : { channels, display: { part, id } }
  }
}

/** A deleted notification keeps its row, and so its history. */
async function notification(db: Db, { account, channels, id }: SubjectRequest): Promise<Selected> {
  const number = readIntId(id)
  const { rows } = await sql<{ id: number }>`
    select id from notifications where account = ${account} and id = ${number ?? null}::integer`.execute(db)
  const [row] = rows
  if (!row) throw notFound('notification', id)
  return { channels, subject: row.id }
}

const resolvers: Record<Subject, Resolve> = {
  none: async (_db, { channels }) => ({ channels }),
  action,
  contact: async (db, { account, id }) => ({ contact: await contactNamed(db, account, id) }),
  contactQuery: contactOfQuery,
  stamp,
  phone,
  rcsAction,
  notification,
  displayCampaign: display('campaign', 'display campaign'),
  displayPlacement: display('placement', 'placement'),
  displayContent: display('content', 'display content'),
}

/** What the subject of a list selects. Throws 404 for an unknown or foreign one, 400 for a query that names none. */
export function resolveSubject(db: Db, subject: Subject, request: SubjectRequest): Promise<Selected> {
  return resolvers[subject](db, request)
}
