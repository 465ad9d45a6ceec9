import { sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/action-families.ts'
import { type ChannelActionType, getActionChannel } from '../../../channels/channel-traits.ts'
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

/** Members that a subject adds to the selection. */
export type SubjectSelection = Pick<
  EventSelection,
  'channels' | 'subject' | 'display' | 'contact' | 'stamp' | 'thread' | 'phone' | 'agent'
>

export interface EventSubjectRequest {
  account: AccountId
  channels: readonly EventChannel[]
  /** Id in the path; '' if there is none. */
  id: string
  query: EventListQuery
}

type SubjectResolver = (db: Db, request: EventSubjectRequest) => Promise<SubjectSelection>

/** The one value of a parameter; undefined when it is absent, empty or given twice. */
function readSingleParameter(query: EventListQuery, name: string): string | undefined {
  const parameterValue = query[name]
  return typeof parameterValue === 'string' && parameterValue !== '' ? parameterValue : undefined
}

/** A deleted action keeps its row, and so its history. Its type gives the channel. */
async function resolveAction(db: Db, { account, id }: EventSubjectRequest): Promise<SubjectSelection> {
  const actionNumber = parseActionId(id)
  const row =
    actionNumber !== undefined &&
    (await db
      .selectFrom('actions')
      .select('type')
      .where('account', '=', account)
      .where('id', '=', actionNumber)
      .executeTakeFirst())
  if (!row || listFamilyActionTypes(actionFamilies.action).every((type) => type !== row.type))
    throw notFoundProblem('action', id)
  return { subject: actionNumber, channels: [getActionChannel(row.type as ChannelActionType)] }
}

/** As of other actions: a deleted one keeps its history. */
async function resolveRcsAction(db: Db, { account, channels, id }: EventSubjectRequest): Promise<SubjectSelection> {
  const actionNumber = actionFamilies.rcs.readId(id)
  const { rows } = await sql<{ id: number }>`
    select id from actions
    where account = ${account} and id = ${actionNumber ?? null}::integer and type = any(${listFamilyActionTypes(actionFamilies.rcs)}::text[])`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw notFoundProblem(actionFamilies.rcs.title, id)
  return { channels, subject: row.id }
}

/** A deleted contact is unknown: its events are read with those of the actions. */
async function findContact(db: Db, account: AccountId, sought: ContactLookup): Promise<SubjectSelection> {
  const [matchingContact] = await findContacts(db, account, [sought])
  if (!matchingContact) throw notFoundProblem('contact', sought.type === 'footprint' ? sought.id : String(sought.value))
  return { contact: matchingContact.id }
}

const identityNames = ['id', 'unicity', 'hash'] as const

/** The contact of the query: exactly one of id, unicity and hash, once and not empty. */
async function findQueryContact(db: Db, { account, query }: EventSubjectRequest): Promise<SubjectSelection> {
  const [type, ...otherNames] = identityNames.filter((identity) => query[identity] !== undefined)
  const value = type && readSingleParameter(query, type)
  if (type === undefined || value === undefined || otherNames.length > 0) {
    throw badRequestProblem(type ?? 'id', 'specify exactly one of id, unicity and hash')
  }
  return findContact(db, account, { type, value })
}

/** Exactly one of id and thread; the rest of the query is not looked at. */
async function resolveStamp(_db: Db, { channels, query }: EventSubjectRequest): Promise<SubjectSelection> {
  const [name, ...otherNames] = (['id', 'thread'] as const).filter((member) => query[member] !== undefined)
  if (name === undefined || otherNames.length > 0)
    throw badRequestProblem(name ?? 'id', 'specify exactly one of id and thread')
  const value = parseUuid(readSingleParameter(query, name) ?? '')
  if (value === undefined) throw badRequestProblem(name, 'must be a uuid')
  return { channels, [name === 'id' ? 'stamp' : 'thread']: value }
}

/** A leading `+`, `00` or a blank for `+` are read alike. */
async function resolvePhone(_db: Db, { channels, query }: EventSubjectRequest): Promise<SubjectSelection> {
  const digits = (readSingleParameter(query, 'phone') ?? '').replace(/^(?:\+|00| )/, '')
  const agentId = readSingleParameter(query, 'agent')
  if (!/^[1-9]\d{5,16}$/.test(digits))
    throw badRequestProblem('phone', 'must be a phone number in E.164 format such as +33639980004')
  if (agentId === undefined) throw badRequestProblem('agent', 'is required')
  return { channels, phone: `+${digits}`, agent: agentId }
}

/** A deleted campaign, placement or content keeps its row, and so its history. */
function resolveDisplay(part: 'campaign' | 'placement' | 'content', name: string): SubjectResolver {
  return async (db, { account, channels, id }) => {
    const { rows } = await sql<{ number: number }>`
      select number from ${sql.table(`display_${part}s`)} where account = ${account} and id = ${id}`.execute(db)
    const [row] = rows
    if (!row) throw notFoundProblem(name, id)
    return part === 'campaign' ? { channels, subject: row.number } : { channels, display: { part, id } }
  }
}

/** A deleted notification keeps its row, and so its history. */
async function resolveNotification(db: Db, { account, channels, id }: EventSubjectRequest): Promise<SubjectSelection> {
  const notificationNumber = parseInt32Id(id)
  const { rows } = await sql<{ id: number }>`
    select id from notifications where account = ${account} and id = ${notificationNumber ?? null}::integer`.execute(db)
  const [row] = rows
  if (!row) throw notFoundProblem('notification', id)
  return { channels, subject: row.id }
}

const subjectResolvers: Record<EventListSubject, SubjectResolver> = {
  none: async (_db, { channels }) => ({ channels }),
  action: resolveAction,
  contact: async (db, { account, id }) => ({ contact: await resolveContactId(db, account, id) }),
  contactQuery: findQueryContact,
  stamp: resolveStamp,
  phone: resolvePhone,
  rcsAction: resolveRcsAction,
  notification: resolveNotification,
  displayCampaign: resolveDisplay('campaign', 'display campaign'),
  displayPlacement: resolveDisplay('placement', 'placement'),
  displayContent: resolveDisplay('content', 'display content'),
}

/** Resolves the selection of a list's subject. Throws a 404 Problem for an unknown or foreign one, 400 for a query that names none. */
export function resolveEventSubject(
  db: Db,
  subject: EventListSubject,
  request: EventSubjectRequest,
): Promise<SubjectSelection> {
  return subjectResolvers[subject](db, request)
}
