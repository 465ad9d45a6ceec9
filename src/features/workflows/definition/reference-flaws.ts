import { sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/action-families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseActionId } from '../../../lib/ids.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { ReferenceKind } from '../../../scripting/schemas/shape.ts'
import type { WorkflowContents } from './definition-contents.ts'

const SENDABLE_STATE = 50

/** Stored state of an object that a definition references. */
interface ReferencedRow {
  id: number
  /** Type of an action or a segment. */
  type?: string
  /** State of an action. */
  state?: number
  active?: boolean
  /** Templating version of an SMS action: "4.1". */
  templating?: string | null
}

const referenceQueries = {
  actions: (db: Db, account: AccountId, ids: number[]) =>
    sql<ReferencedRow>`select id, type, state, settings #>> '{templating,version}' as templating from actions
      where account = ${account} and id = any(${ids}::integer[]) and deleted_at is null`.execute(db),
  notifications: (db: Db, account: AccountId, ids: number[]) =>
    sql<ReferencedRow>`select id, active from notifications
      where account = ${account} and id = any(${ids}::integer[]) and deleted_at is null`.execute(db),
  segments: (db: Db, account: AccountId, ids: number[]) =>
    sql<ReferencedRow>`select id, type from segments where account = ${account} and id = any(${ids}::integer[])`.execute(
      db,
    ),
  valueLists: (db: Db, account: AccountId, ids: number[]) =>
    sql<ReferencedRow>`select id from value_lists where account = ${account} and id = any(${ids}::integer[])`.execute(
      db,
    ),
  imports: (db: Db, account: AccountId, ids: number[]) =>
    sql<ReferencedRow>`select id from imports where account = ${account} and id = any(${ids}::integer[])`.execute(db),
  webtasks: (db: Db, account: AccountId, ids: number[]) =>
    sql<ReferencedRow>`select id from webtasks where account = ${account} and id = any(${ids}::integer[])`.execute(db),
}
type ReferenceTable = keyof typeof referenceQueries

/** Rules for a kind of reference: how its ids are parsed, and the requirements for its object. */
interface ReferenceRule {
  table: ReferenceTable
  title: string
  types?: readonly string[]
  /** It must be ready to be sent. */
  isSent?: boolean
  /** The version of templates whose content a send can replace. */
  templating?: string
  readId?: (id: string) => number | undefined
}

const mailRule = { table: 'actions', title: 'action', readId: parseActionId } as const
const referenceRules: Partial<Record<ReferenceKind, ReferenceRule>> = {
  mailMessage: { ...mailRule, types: ['mailMessage'], isSent: true },
  smsMessage: { ...mailRule, types: ['smsMessage'], isSent: true },
  smsWithText: { ...mailRule, types: ['smsMessage'], isSent: true, templating: '4.1' },
  action: { ...mailRule, types: listFamilyActionTypes(actionFamilies.action) },
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
const SEPARATELY_CHECKED: readonly ReferenceKind[] = ['field', 'compilable', 'pipeline']

type DefinitionReference = WorkflowContents['references'][number]

const parseReferenceId = ({ readId }: ReferenceRule, id: string | number): number | undefined =>
  typeof id === 'number' ? id : readId?.(id)

/** Finds the flaw of one reference. Further kinds of objects are added here with their tables. */
function findReferenceFlaw(
  { kind, id, path }: DefinitionReference,
  findKnownRow: (table: ReferenceTable, id: number) => ReferencedRow | undefined,
): DefinitionFlaw | undefined {
  const described = referenceRules[kind]
  const createUnknownFlaw = (title: string) => createFlaw('unknown-reference', path, `There is no ${title} ${id}.`)
  if (!described) return createUnknownFlaw(kind)
  const referenceId = parseReferenceId(described, id)
  const knownRow = referenceId === undefined ? undefined : findKnownRow(described.table, referenceId)
  const { title, types, isSent, templating } = described
  if (!knownRow) return createUnknownFlaw(title)
  // An action of the other family has no id of this kind.
  const isForeign = described.table === 'actions' && isRcsAction(knownRow) !== (title === 'RCS action')
  if (isForeign) return createUnknownFlaw(title)
  if (types && !types.includes(knownRow.type ?? ''))
    return createFlaw(
      'type-mismatch',
      path,
      `The ${title} ${id} is of type ${knownRow.type}; ${types.join(' or ')} is required.`,
    )
  if (templating !== undefined && knownRow.templating !== templating)
    return createFlaw(
      'type-mismatch',
      path,
      `The text of action ${id} is fixed: settings.templating.version ${templating} is required.`,
    )
  if (!isSent) return undefined
  if (knownRow.active === false) return createFlaw('not-sendable', path, `The ${title} ${id} is not active.`)
  if (knownRow.state !== undefined && knownRow.state !== SENDABLE_STATE)
    return createFlaw(
      'not-sendable',
      path,
      `Action ${id} is in state ${knownRow.state}; state ${SENDABLE_STATE} is required.`,
    )
  return undefined
}

const isRcsAction = ({ type = '' }: ReferencedRow): boolean =>
  (listFamilyActionTypes(actionFamilies.rcs) as string[]).includes(type)

/** Finds the flaws of the objects that a definition references. The objects of the account are read in one statement per table. */
export async function findReferenceFlaws(
  db: Db,
  account: AccountId,
  references: readonly DefinitionReference[],
): Promise<DefinitionFlaw[]> {
  const rowsByTable = new Map<ReferenceTable, ReadonlyMap<number, ReferencedRow>>()
  for (const table of Object.keys(referenceQueries) as ReferenceTable[]) {
    const referenceIds = references.flatMap(({ kind, id }) => {
      const described = referenceRules[kind]
      return described?.table === table ? (parseReferenceId(described, id) ?? []) : []
    })
    if (referenceIds.length === 0) continue
    const { rows } = await referenceQueries[table](db, account, [...new Set(referenceIds)])
    rowsByTable.set(table, new Map(rows.map((row) => [row.id, row])))
  }
  return references.flatMap((reference) =>
    SEPARATELY_CHECKED.includes(reference.kind)
      ? []
      : (findReferenceFlaw(reference, (table, id) => rowsByTable.get(table)?.get(id)) ?? []),
  )
}
