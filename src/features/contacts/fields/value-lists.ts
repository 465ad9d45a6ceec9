import { sql } from 'kysely'
import { type Db, inSavepoint, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { parseResourceName } from '../../../lib/text/names.ts'
import { readValueListLinks } from './field-links.ts'
import { sortValueList } from './label-order.ts'
import { valueListDocument } from './stored-definitions.ts'
import { type PlannedLabels, planLabels } from './value-list-rules.ts'
import type { ValueList, ValueListBody, ValueListLabelBody } from './value-list-schemas.ts'
import { blockContactWrites } from './write-lock.ts'

const MAX_NAME_LENGTH = 100

function nameTaken(name: string) {
  return { unique: () => conflictProblem('name-taken', `Another value list is called "${name}".`) }
}

/** The value lists of an account with their values, ascending id: those after the page's key, at most its limit. */
export async function* listValueLists(
  db: Db,
  account: AccountId,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ValueList> {
  const query = sql<{ list: ValueList }>`
    select ${valueListDocument} as list from value_lists l
    where l.account = ${account} and l.id > ${page.after ?? 0} order by l.id limit ${page.limit ?? null}`
  for await (const { list } of streamRows(db, query, { batch: 10 })) yield sortValueList(list)
}

/** One value list. Throws notFound. */
export async function readValueList(db: Db, account: AccountId, id: number): Promise<ValueList> {
  const found = await sql<{ list: ValueList }>`
    select ${valueListDocument} as list from value_lists l where l.account = ${account} and l.id = ${id}`.execute(db)
  const [row] = found.rows
  if (!row) throw notFoundProblem('value list', id)
  return sortValueList(row.list)
}

/** Writes the labels of a list that has none, and notes that their indexes are used. */
async function insertLabels(tx: Db, account: AccountId, list: number, { labels }: PlannedLabels): Promise<void> {
  await sql`
    insert into value_list_labels (account, list, index, label, label_folded, position)
    select ${account}, ${list}, g.index, g.label, g.folded, g.position
    from unnest(
      ${labels.map(({ index }) => index)}::integer[], ${labels.map(({ value }) => value)}::text[],
      ${labels.map(({ value }) => foldUnicodeCase(value))}::text[]) with ordinality as g(index, label, folded, position)`.execute(
    tx,
  )
  await sql`
    update value_lists set used = used + coalesce((
      select range_agg(int4range(index, index + 1)) from unnest(${labels.map(({ index }) => index)}::integer[]) as g(index)),
      '{}')
    where account = ${account} and id = ${list}`.execute(tx)
}

/** Makes a value list. Throws 400, conflict `name-taken`, `label-taken`. */
export async function createValueList(db: Db, account: AccountId, body: ValueListBody): Promise<ValueList> {
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  const planned = planLabels(body.values ?? [], { labels: [], nextIndex: 1, wasUsed: () => false })
  const values = {
    account,
    name,
    name_folded: foldUnicodeCase(name),
    ordered: body.ordered ?? false,
    next_index: planned.nextIndex,
  }
  return inTransaction(db, async (tx) => {
    const insert = tx.insertInto('value_lists').values(values).returning('id')
    const { id } = await mapConstraintErrors(insert.executeTakeFirstOrThrow(), nameTaken(name))
    await insertLabels(tx, account, id, planned)
    return readValueList(tx, account, id)
  })
}

/** How many contacts hold one of these indexes, per field that uses the list. */
async function holders(tx: Db, account: AccountId, list: number, indexes: number[]) {
  const found = await sql<{ id: number; name: string; contacts: number }>`
    select f.id, f.name, count(*)::integer as contacts
    from fields f join contacts c on c.account = f.account and c.fields ? f.id::text
    where f.account = ${account} and f.value_list = ${list} and exists (
      select from jsonb_path_query(c.fields->f.id::text, '$[*]') as held(index)
      where held.index::integer = any(${indexes}::integer[]))
    group by f.id order by f.id`.execute(tx)
  return found.rows.map((row) => ({ type: 'field', ...row }))
}

async function planChange(
  tx: Db,
  account: AccountId,
  stored: ValueList,
  given: readonly ValueListLabelBody[],
): Promise<PlannedLabels> {
  const { rows: found } = await sql<{ next: number; used: number[] }>`
    select next_index as next,
      array(select g.index from unnest(${given.flatMap(({ index }) => index ?? [])}::integer[]) as g(index)
        where g.index <@ used) as used
    from value_lists where account = ${account} and id = ${stored.id}`.execute(tx)
  const { next = 1, used = [] } = found[0] ?? {}
  const ever = new Set(used)
  return planLabels(given, { labels: stored.values, nextIndex: next, wasUsed: (index) => ever.has(index) })
}

async function replaceLabels(tx: Db, account: AccountId, stored: ValueList, planned: PlannedLabels): Promise<void> {
  const kept = new Set(planned.labels.map(({ index }) => index))
  const removed = stored.values.flatMap(({ index }) => (kept.has(index) ? [] : [index]))
  const links = removed.length === 0 ? [] : await holders(tx, account, stored.id, removed)
  if (links.length > 0) {
    throw conflictProblem('label-held', 'Contacts hold a value that would go: see links.', { links })
  }
  await tx.deleteFrom('value_list_labels').where('account', '=', account).where('list', '=', stored.id).execute()
  await insertLabels(tx, account, stored.id, planned)
}

/**
 * Changes the members given; `values` replaces. Throws notFound, 400, conflict `name-taken`, `label-taken`, and
 * `label-held` with `links` when contacts hold a value that would go; then nothing is changed.
 */
export function updateValueList(db: Db, account: AccountId, id: number, change: ValueListBody): Promise<ValueList> {
  return inTransaction(db, async (tx) => {
    await blockContactWrites(tx, account)
    const stored = await readValueList(tx, account, id)
    const name = change.name === undefined ? stored.name : parseResourceName(change.name, MAX_NAME_LENGTH)
    const planned = change.values ? await planChange(tx, account, stored, change.values) : undefined
    const values = {
      name,
      name_folded: foldUnicodeCase(name),
      ordered: change.ordered ?? stored.ordered,
      ...(planned && { next_index: planned.nextIndex }),
    }
    const update = tx.updateTable('value_lists').set(values).where('account', '=', account).where('id', '=', id)
    await mapConstraintErrors(update.execute(), nameTaken(name))
    if (planned) await replaceLabels(tx, account, stored, planned)
    return readValueList(tx, account, id)
  })
}

/** Deletes a value list. Throws notFound, conflict `list-linked` with `links` while a field uses it. */
export async function deleteValueList(db: Db, account: AccountId, id: number): Promise<void> {
  const deletion = (tx: Db) => tx.deleteFrom('value_lists').where('account', '=', account).where('id', '=', id)
  const refused = conflictProblem('list-linked', 'A field uses this value list.')
  await inTransaction(db, async (tx) => {
    try {
      const { numDeletedRows } = await mapConstraintErrors(
        inSavepoint(tx, (inner) => deletion(inner).executeTakeFirstOrThrow()),
        { foreignKey: () => refused },
      )
      if (numDeletedRows === 0n) throw notFoundProblem('value list', id)
    } catch (error) {
      if (error !== refused) throw error
      const links = await readValueListLinks(tx, account, id)
      throw conflictProblem('list-linked', `Fields use this value list: see links.`, { links })
    }
  })
}
