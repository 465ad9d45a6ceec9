import { sql } from 'kysely'
import { type ChannelActionType, getActionChannel } from '../../../channels/facts.ts'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseActionId, parseInt32Id, parseUuid } from '../../../lib/ids.ts'
import { type ContactLookup, findContacts, resolveContactId } from '../../contacts/records/find.ts'
import type { EventChannel } from '../kinds/event-kinds.ts'
import type { EventSelection } from './filters.ts'
import type { EventListSubject } from './scopes.ts'

/** A query as it arrived: a name given twice is an array. */
export type EventListQuery = Readonly<Record<string, unknown>>

/** What a subject adds to the selection. */
export type SubjectSelection = Pick<
  EventSelection,
  'channels' | 'subject' | 'display' | 'contact' | 'stamp' | 'thread' | 'phone' | 'agent'
>

export interface EventSubjectRequest {
  account: AccountId
  channels: readonly EventChannel[]
  /** The id of the path; '' where there is none. */
  id: string
  query: EventListQuery
}

type Resolve = (db: Db, request: EventSubjectRequest) => Promise<SubjectSelection>

/** The one value of a parameter; undefined when it is absent, empty or given twice. */
function once(query: EventListQuery, name: string): string | undefined {
  const given = query[name]
  return typeof given === 'string' && given !== '' ? given : undefined
}

/** A deleted action keeps its row, and so its history. Its type gives the channel. */
async function action(db: Db, { account, id }: EventSubjectRequest): Promise<SubjectSelection> {
  const number = parseActionId(id)
  const row =
    number !== undefined &&
    (await db
      .selectFrom('actions')
      .select('type')
      .where('account', '=', account)
      .where('id', '=', number)
      .executeTakeFirst())
  if (!row || listFamilyActionTypes(actionFamilies.action).every((type) => type !== row.type))
    throw notFoundProblem('action', id)
  return { subject: number, channels: [getActionChannel(row.type as ChannelActionType)] }
}

/** As of other actions: a deleted one keeps its history. */
async function rcsAction(db: Db, { account, channels, id }: EventSubjectRequest): Promise<SubjectSelection> {
  const number = actionFamilies.rcs.readId(id)
  const { rows } = await sql<{ id: number }>`
    select id from actions
    where account = ${account} and id = ${number ?? null}::integer and type = any(${listFamilyActionTypes(actionFamilies.rcs)}::text[])`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw notFoundProblem(actionFamilies.rcs.title, id)
  return { channels, subject: row.id }
}

/** A deleted contact is unknown: its events are read with those of the actions. */
async function findContact(db: Db, account: AccountId, sought: ContactLookup): Promise<SubjectSelection> {
  const [found] = await findContacts(db, account, [sought])
  if (!found) throw notFoundProblem('contact', sought.type === 'footprint' ? sought.id : String(sought.value))
  return { contact: found.id }
}

const identities = ['id', 'unicity', 'hash'] as const

/** The contact of the query: exactly one of id, unicity and hash, once and not empty. */
async function contactOfQuery(db: Db, { account, query }: EventSubjectRequest): Promise<SubjectSelection> {
  const [type, ...others] = identities.filter((identity) => query[identity] !== undefined)
  const value = type && once(query, type)
  if (type === undefined || value === undefined || others.length > 0) {
    throw badRequestProblem(type ?? 'id', 'give exactly one of id, unicity, hash')
  }
  return findContact(db, account, { type, value })
}

/** Exactly one of id and thread; the rest of the query is not looked at. */
async function stamp(_db: Db, { channels, query }: EventSubjectRequest): Promise<SubjectSelection> {
  const [name, ...others] = (['id', 'thread'] as const).filter((member) => query[member] !== undefined)
  if (name === undefined || others.length > 0) throw badRequestProblem(name ?? 'id', 'give exactly one of id, thread')
  const value = parseUuid(once(query, name) ?? '')
  if (value === undefined) throw badRequestProblem(name, 'must be a uuid')
  return { channels, [name === 'id' ? 'stamp' : 'thread']: value }
}

/** A leading `+`, `00` or a blank for `+` are read alike. */
async function phone(_db: Db, { channels, query }: EventSubjectRequest): Promise<SubjectSelection> {
  const digits = (once(query, 'phone') ?? '').replace(/^(?:\+|00| )/, '')
  const agent = once(query, 'agent')
  if (!/^[1-9]\d{5,16}$/.test(digits))
    throw badRequestProblem('phone', 'must be a phone number in the form of E.164, such as +33601020304')
  if (agent === undefined) throw badRequestProblem('agent', 'is required')
  return { channels, phone: `+${digits}`, agent }
}

/** A deleted campaign, placement or content keeps its row, and so its history. */
function display(part: 'campaign' | 'placement' | 'content', name: string): Resolve {
  return async (db, { account, channels, id }) => {
    const { rows } = await sql<{ number: number }>`
      select number from ${sql.table(`display_${part}s`)} where account = ${account} and id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw notFoundProblem(name, id)
    return part === 'campaign' ? { channels, subject: row.number } : { channels, display: { part, id } }
  }
}

/** A deleted notification keeps its row, and so its history. */
async function notification(db: Db, { account, channels, id }: EventSubjectRequest): Promise<SubjectSelection> {
  const number = parseInt32Id(id)
  const { rows } = await sql<{ id: number }>`
    select id from notifications where account = ${account} and id = ${number ?? null}::integer`.execute(db)
  const [row] = rows
  if (!row) throw notFoundProblem('notification', id)
  return { channels, subject: row.id }
}

const resolvers: Record<EventListSubject, Resolve> = {
  none: async (_db, { channels }) => ({ channels }),
  action,
  contact: async (db, { account, id }) => ({ contact: await resolveContactId(db, account, id) }),
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
export function resolveEventSubject(
  db: Db,
  subject: EventListSubject,
  request: EventSubjectRequest,
): Promise<SubjectSelection> {
  return resolvers[subject](db, request)
}
