import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import { requireInstant } from '../../lib/time/period.ts'
import type { CampaignBody, CampaignResource } from './campaign-schemas.ts'
import {
  campaignItemTableSql,
  MAX_CAMPAIGN_ITEMS,
  parseCampaignItems,
  requireCampaignItems,
  type StoredCampaignItem,
  toCampaignItem,
} from './items.ts'

const MAX_NAME_LENGTH = 255

interface CampaignRow {
  id: string
  name: string
  description: string | null
  created_at: Date
  updated_at: Date
  starts_at: Date | null
  ends_at: Date | null
  items: StoredCampaignItem[]
}

const shownCampaignColumns = sql`c.id, c.name, c.description, c.created_at, c.updated_at, c.starts_at, c.ends_at, coalesce((
  select jsonb_agg(jsonb_build_object('type', i.type, 'number', i.number, 'name', i.name) order by i.position)
  from campaign_items i where i.campaign = c.id), '[]') as items`

function toCampaignResource(row: CampaignRow): CampaignResource {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    startDate: row.starts_at?.toISOString() ?? null,
    endDate: row.ends_at?.toISOString() ?? null,
    items: row.items.map(toCampaignItem),
  }
}

/*
 * A campaign of the interface is a named group of actions and other items. What sends to an audience is an action of a campaign type
 * (`features/actions`, `sending/plan`).
 */

/** Every campaign, by creation. */
export async function* listCampaigns(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<CampaignResource> {
  const query = sql<CampaignRow>`
    select ${shownCampaignColumns} from campaigns c
    where c.account = ${account} ${after === undefined ? sql`` : sql`and c.id > ${after}::uuid`}
    order by c.id limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toCampaignResource(row)
}

/** One campaign. Throws notFound. */
export async function loadCampaign(db: Db, account: AccountId, id: string): Promise<CampaignResource> {
  const { rows: campaignRows } =
    await sql<CampaignRow>`select ${shownCampaignColumns} from campaigns c where c.account = ${account} and c.id = ${id}`.execute(
      db,
    )
  const [row] = campaignRows
  if (!row) throw notFoundProblem('campaign', id)
  return toCampaignResource(row)
}

/** Locks a campaign until the transaction ends and loads it. Throws notFound. */
export async function lockCampaign(tx: Db, account: AccountId, id: string): Promise<CampaignResource> {
  await tx
    .selectFrom('campaigns')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return loadCampaign(tx, account, id)
}

function parseDate(dateInput: string | number | null, pointer: string): Date | null {
  return dateInput === null ? null : requireInstant(dateInput, pointer)
}

function toColumns({ name, description, startDate, endDate }: CampaignBody) {
  return {
    ...(name !== undefined && { name: parseResourceName(name, MAX_NAME_LENGTH) }),
    ...(description !== undefined && { description }),
    ...(startDate !== undefined && { starts_at: parseDate(startDate, '/startDate') }),
    ...(endDate !== undefined && { ends_at: parseDate(endDate, '/endDate') }),
  }
}

const constraintProblems = { check: () => badRequestProblem('/endDate', 'must not be before startDate') }

/** Puts items at the end of a campaign; those it has already stay where they are. */
async function appendItems(
  tx: Db,
  account: AccountId,
  campaign: string,
  items: readonly StoredCampaignItem[],
): Promise<void> {
  await sql`
    insert into campaign_items (account, campaign, position, type, number, name)
    select ${account}, ${campaign}, last.position + i.place, i.type, i.number, i.name
    from ${campaignItemTableSql(items)}, (
      select coalesce(max(position), 0) as position from campaign_items where campaign = ${campaign}) as last
    on conflict do nothing`.execute(tx)
}

/** Makes a campaign. Throws 400, and notFound for an item that does not exist or is of another channel. */
export async function createCampaign(
  db: Db,
  account: AccountId,
  body: CampaignBody,
  now: Date,
): Promise<CampaignResource> {
  const columns = { ...toColumns(body), name: parseResourceName(body.name, MAX_NAME_LENGTH) }
  const items = parseCampaignItems(body.items ?? [], '/items')
  return inTransaction(db, async (tx) => {
    await requireCampaignItems(tx, account, items)
    const id = createUuidV7(now.getTime())
    const values = { id, account, created_at: now, updated_at: now, ...columns }
    await mapConstraintErrors(tx.insertInto('campaigns').values(values).execute(), constraintProblems)
    await appendItems(tx, account, id, items)
    return loadCampaign(tx, account, id)
  })
}

/** Changes the members given of a locked campaign; `items` replaces the list. Throws notFound (item), 400. */
export async function updateCampaign(
  tx: Db,
  { account, id }: LockedObject<string, CampaignResource>,
  body: CampaignBody,
  now: Date,
): Promise<CampaignResource> {
  const columns = toColumns(body)
  const items = body.items && parseCampaignItems(body.items, '/items')
  const updateQuery = tx.updateTable('campaigns').set({ ...columns, updated_at: now })
  await mapConstraintErrors(
    updateQuery.where('account', '=', account).where('id', '=', id).execute(),
    constraintProblems,
  )
  if (items) {
    await requireCampaignItems(tx, account, items)
    await tx.deleteFrom('campaign_items').where('campaign', '=', id).execute()
    await appendItems(tx, account, id, items)
  }
  return loadCampaign(tx, account, id)
}

/** Deletes a campaign; its items are untouched. */
export async function deleteCampaign(db: Db, { account, id }: { account: AccountId; id: string }): Promise<void> {
  await db.deleteFrom('campaigns').where('account', '=', account).where('id', '=', id).execute()
}

/** Puts items at the end; known ones stay where they are. Throws notFound (campaign, item: then none is added), 400. */
export async function addCampaignItems(
  db: Db,
  { account, id }: { account: AccountId; id: string },
  items: readonly StoredCampaignItem[],
  now: Date,
): Promise<CampaignResource> {
  return inTransaction(db, async (tx) => {
    await lockCampaign(tx, account, id)
    await requireCampaignItems(tx, account, items)
    await appendItems(tx, account, id, items)
    await tx.updateTable('campaigns').set({ updated_at: now }).where('id', '=', id).execute()
    const campaign = await loadCampaign(tx, account, id)
    if (campaign.items.length > MAX_CAMPAIGN_ITEMS)
      throw badRequestProblem('', `a campaign has at most ${MAX_CAMPAIGN_ITEMS} items`)
    return campaign
  })
}

/** Takes one item out. Throws notFound (campaign, or an item that is not in it). */
export async function removeCampaignItem(
  db: Db,
  { account, id }: { account: AccountId; id: string },
  item: StoredCampaignItem,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCampaign(tx, account, id)
    const { rows: removedRows } = await sql`
      delete from campaign_items
      where campaign = ${id} and type = ${item.type} and number is not distinct from ${item.number}::integer
        and name is not distinct from ${item.name}::text
      returning 1`.execute(tx)
    const { type, id: shownId } = toCampaignItem(item)
    if (removedRows.length === 0) throw notFoundProblem(`${type} item`, shownId)
    await tx.updateTable('campaigns').set({ updated_at: now }).where('id', '=', id).execute()
  })
}
