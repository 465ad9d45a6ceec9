import { sql } from 'kysely'
import { type Db, inSavepoint, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../../lib/account.ts'
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

function mapNameConflict(name: string) {
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
  const matchingLists = await sql<{ list: ValueList }>`
    select ${valueListDocument} as list from value_lists l where l.account = ${account} and l.id = ${id}`.execute(db)
  const [row] = matchingLists.rows
  if (!row) throw notFoundProblem('value list', id)
  return sortValueList(row.list)
}

/** Writes the labels of a list that does not have any, and records that their indexes are used. */
async function insertListLabels(tx: Db, account: AccountId, list: number, { labels }: PlannedLabels): Promise<void> {
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
  const plannedLabels = planLabels(body.values ?? [], { labels: [], nextIndex: 1, wasUsed: () => false })
  const values = {
    account,
    name,
    name_folded: foldUnicodeCase(name),
    ordered: body.ordered ?? false,
    next_index: plannedLabels.nextIndex,
  }
  return inTransaction(db, async (tx) => {
    const listInsert = tx.insertInto('value_lists').values(values).returning('id')
    const { id } = await mapConstraintErrors(listInsert.executeTakeFirstOrThrow(), mapNameConflict(name))
    await insertListLabels(tx, account, id, plannedLabels)
    return readValueList(tx, account, id)
  })
}

/** Counts the contacts that have one of these indexes, by field that uses the list. */
async function countLabelHolders(tx: Db, account: AccountId, list: number, indexes: number[]) {
  const holderCounts = await sql<{ id: number; name: string; contacts: number }>`
    select f.id, f.name, count(*)::integer as contacts
    from fields f join contacts c on c.account = f.account and c.fields ? f.id::text
    where f.account = ${account} and f.value_list = ${list} and exists (
      select from jsonb_path_query(c.fields->f.id::text, '$[*]') as held(index)
      where held.index::integer = any(${indexes}::integer[]))
    group by f.id order by f.id`.execute(tx)
  return holderCounts.rows.map((row) => ({ type: 'field', ...row }))
}

async function planLabelChange(
  tx: Db,
  account: AccountId,
  storedList: ValueList,
  labelBodies: readonly ValueListLabelBody[],
): Promise<PlannedLabels> {
  const { rows: indexRows } = await sql<{ next: number; used: number[] }>`
    select next_index as next,
      array(select g.index from unnest(${labelBodies.flatMap(({ index }) => index ?? [])}::integer[]) as g(index)
        where g.index <@ used) as used
    from value_lists where account = ${account} and id = ${storedList.id}`.execute(tx)
  const { next: followingIndex = 1, used: usedIndexes = [] } = indexRows[0] ?? {}
  const everUsedIndexes = new Set(usedIndexes)
  return planLabels(labelBodies, {
    labels: storedList.values,
    nextIndex: followingIndex,
    wasUsed: (index) => everUsedIndexes.has(index),
  })
}

async function replaceListLabels(
  tx: Db,
  account: AccountId,
  storedList: ValueList,
  planned: PlannedLabels,
): Promise<void> {
  const retainedIndexes = new Set(planned.labels.map(({ index }) => index))
  const removedIndexes = storedList.values.flatMap(({ index }) => (retainedIndexes.has(index) ? [] : [index]))
  const labelHolders =
    removedIndexes.length === 0 ? [] : await countLabelHolders(tx, account, storedList.id, removedIndexes)
  if (labelHolders.length > 0) {
    throw conflictProblem(
      'label-held',
      'Contacts have a value that would be removed. Change the values listed in links first.',
      { links: labelHolders },
    )
  }
  await tx.deleteFrom('value_list_labels').where('account', '=', account).where('list', '=', storedList.id).execute()
  await insertListLabels(tx, account, storedList.id, planned)
}

/**
 * Changes the members given of a locked list; `values` replaces. Throws 400, conflict `name-taken`, `label-taken`, and
 * `label-held` with `links` when contacts hold a value that would go; then nothing is changed.
 */
export async function updateValueList(
  tx: Db,
  { account, id, stored: storedList }: LockedObject<number, ValueList>,
  change: ValueListBody,
): Promise<ValueList> {
  const name = change.name === undefined ? storedList.name : parseResourceName(change.name, MAX_NAME_LENGTH)
  const labelPlan = change.values ? await planLabelChange(tx, account, storedList, change.values) : undefined
  const values = {
    name,
    name_folded: foldUnicodeCase(name),
    ordered: change.ordered ?? storedList.ordered,
    ...(labelPlan && { next_index: labelPlan.nextIndex }),
  }
  const listUpdate = tx.updateTable('value_lists').set(values).where('account', '=', account).where('id', '=', id)
  await mapConstraintErrors(listUpdate.execute(), mapNameConflict(name))
  if (labelPlan) await replaceListLabels(tx, account, storedList, labelPlan)
  return readValueList(tx, account, id)
}

/** Locks a value list and loads it: nothing writes contacts until the transaction ends. Throws notFound. */
export async function lockValueList(tx: Db, account: AccountId, id: number): Promise<ValueList> {
  await blockContactWrites(tx, account)
  return readValueList(tx, account, id)
}

/** Deletes a value list. Throws notFound, conflict `list-linked` with `links` while a field uses it. */
export async function deleteValueList(db: Db, { account, id }: { account: AccountId; id: number }): Promise<void> {
  const deleteList = (tx: Db) => tx.deleteFrom('value_lists').where('account', '=', account).where('id', '=', id)
  const linkedProblem = conflictProblem('list-linked', 'A field uses this value list.')
  await inTransaction(db, async (tx) => {
    try {
      const { numDeletedRows } = await mapConstraintErrors(
        inSavepoint(tx, (inner) => deleteList(inner).executeTakeFirstOrThrow()),
        { foreignKey: () => linkedProblem },
      )
      if (numDeletedRows === 0n) throw notFoundProblem('value list', id)
    } catch (error) {
      if (error !== linkedProblem) throw error
      const listLinks = await readValueListLinks(tx, account, id)
      throw conflictProblem(
        'list-linked',
        `Fields use this value list. Remove it from the fields listed in links first.`,
        { links: listLinks },
      )
    }
  })
}
