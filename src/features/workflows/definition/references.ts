import { sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseActionId } from '../../../lib/ids.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { ReferenceKind } from '../../../scripting/schemas/shape.ts'
import type { WorkflowContents } from './contents.ts'

const SENDING = 50

/** What is known of something that a definition names. */
interface Known {
  id: number
  /** Of actions and segments. */
  type?: string
  /** Of actions. */
  state?: number
  active?: boolean
  /** Of SMS actions: "4.1". */
  templating?: string | null
}

const tables = {
  actions: (db: Db, account: AccountId, ids: number[]) =>
    sql<Known>`select id, type, state, settings #>> '{templating,version}' as templating from actions
      where account = ${account} and id = any(${ids}::integer[]) and deleted_at is null`.execute(db),
  notifications: (db: Db, account: AccountId, ids: number[]) =>
    sql<Known>`select id, active from notifications
      where account = ${account} and id = any(${ids}::integer[]) and deleted_at is null`.execute(db),
  segments: (db: Db, account: AccountId, ids: number[]) =>
    sql<Known>`select id, type from segments where account = ${account} and id = any(${ids}::integer[])`.execute(db),
  valueLists: (db: Db, account: AccountId, ids: number[]) =>
    sql<Known>`select id from value_lists where account = ${account} and id = any(${ids}::integer[])`.execute(db),
  imports: (db: Db, account: AccountId, ids: number[]) =>
    sql<Known>`select id from imports where account = ${account} and id = any(${ids}::integer[])`.execute(db),
  webtasks: (db: Db, account: AccountId, ids: number[]) =>
    sql<Known>`select id from webtasks where account = ${account} and id = any(${ids}::integer[])`.execute(db),
}
type Table = keyof typeof tables

/** How the ids of a kind are read, and what they must be. */
interface Kind {
  table: Table
  title: string
  types?: readonly string[]
  /** It must be ready to be sent. */
  isSent?: boolean
  /** The version of templates whose content a send can replace. */
  templating?: string
  readId?: (id: string) => number | undefined
}

const mails = { table: 'actions', title: 'action', readId: parseActionId } as const
const kinds: Partial<Record<ReferenceKind, Kind>> = {
  mailMessage: { ...mails, types: ['mailMessage'], isSent: true },
  smsMessage: { ...mails, types: ['smsMessage'], isSent: true },
  smsWithText: { ...mails, types: ['smsMessage'], isSent: true, templating: '4.1' },
  action: { ...mails, types: listFamilyActionTypes(actionFamilies.action) },
  rcsMessage: { table: 'actions', title: 'RCS action', types: ['rcsMessage'], isSent: true },
  rcsAction: { table: 'actions', title: 'RCS action', types: listFamilyActionTypes(actionFamilies.rcs) },
  notification: { table: 'notifications', title: 'notification' },
  sentNotification: { table: 'notifications', title: 'notification', isSent: true },
  segment: { table: 'segments', title: 'segment' },
  staticSegment: { table: 'segments', title: 'segment', types: ['static'] },
  valueList: { table: 'valueLists', title: 'value list' },
  import: { table: 'imports', title: 'import' },
  webtask: { table: 'webtasks', title: 'webtask' },
}

/** Kinds that are looked at with what they are given. */
const ELSEWHERE: readonly ReferenceKind[] = ['field', 'compilable', 'pipeline']

type Reference = WorkflowContents['references'][number]

const numberOf = ({ readId }: Kind, id: string | number): number | undefined =>
  typeof id === 'number' ? id : readId?.(id)

/** What else the account has that can be named, by kinds whose tables are to come. */
function flawOf(
  { kind, id, path }: Reference,
  known: (table: Table, id: number) => Known | undefined,
): DefinitionFlaw | undefined {
  const described = kinds[kind]
  const unknown = (title: string) => createFlaw('unknown-reference', path, `There is no ${title} ${id}.`)
  if (!described) return unknown(kind)
  const number = numberOf(described, id)
  const found = number === undefined ? undefined : known(described.table, number)
  const { title, types, isSent, templating } = described
  if (!found) return unknown(title)
  // An action of the other family has no id of this kind.
  const isForeign = described.table === 'actions' && isOfRcs(found) !== (title === 'RCS action')
  if (isForeign) return unknown(title)
  if (types && !types.includes(found.type ?? ''))
    return createFlaw(
      'type-mismatch',
      path,
      `The ${title} ${id} is of type ${found.type}, ${types.join(' or ')} is needed.`,
    )
  if (templating !== undefined && found.templating !== templating)
    return createFlaw(
      'type-mismatch',
      path,
      `The text of action ${id} is fixed: settings.templating.version ${templating} is needed.`,
    )
  if (!isSent) return undefined
  if (found.active === false) return createFlaw('not-sendable', path, `The ${title} ${id} is not active.`)
  if (found.state !== undefined && found.state !== SENDING)
    return createFlaw('not-sendable', path, `Action ${id} is in state ${found.state}, ${SENDING} is needed.`)
  return undefined
}

const isOfRcs = ({ type = '' }: Known): boolean =>
  (listFamilyActionTypes(actionFamilies.rcs) as string[]).includes(type)

/** What is wrong with the things that a definition names: those of the account are read in one statement a table. */
export async function findReferenceFlaws(
  db: Db,
  account: AccountId,
  references: readonly Reference[],
): Promise<DefinitionFlaw[]> {
  const found = new Map<Table, ReadonlyMap<number, Known>>()
  for (const table of Object.keys(tables) as Table[]) {
    const ids = references.flatMap(({ kind, id }) => {
      const described = kinds[kind]
      return described?.table === table ? (numberOf(described, id) ?? []) : []
    })
    if (ids.length === 0) continue
    const { rows } = await tables[table](db, account, [...new Set(ids)])
    found.set(table, new Map(rows.map((row) => [row.id, row])))
  }
  return references.flatMap((reference) =>
    ELSEWHERE.includes(reference.kind) ? [] : (flawOf(reference, (table, id) => found.get(table)?.get(id)) ?? []),
  )
}
