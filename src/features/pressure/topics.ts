import { sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import { PRESSURE_RETENTION_MS } from './counters/buckets.ts'
import type { PressureTopic, PressureTopicBody } from './pressure-schemas.ts'
import {
  type AuthoredPressureRow,
  formatAuthorship,
  type PressureChangeAuthor,
  parsePressureLabel,
} from './rules/labels.ts'
import { findPressureTopicLinks } from './topic-links.ts'

const MAX_TOPICS = 500
/** The largest number of a topic. */
const MAX_TOPIC_NUMBER = 8191

interface TopicRow extends AuthoredPressureRow {
  id: string
  label: string
  description: string | null
}

const topicColumns = sql`id, label, description, created_at, updated_at, created_by, modified_by, creator, modifier`

function toPressureTopic(row: TopicRow): PressureTopic {
  const { id, label, description } = row
  return { id, label, description, ...formatAuthorship(row) }
}

/** Sort key of a topic in the list. */
export function pressureTopicSortKey({ label }: PressureTopic): string {
  return foldUnicodeCase(label)
}

/** Every topic, by label. */
export async function* listPressureTopics(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<PressureTopic> {
  const query = sql<TopicRow>`
    select ${topicColumns} from pressure_topics
    where account = ${account} and deleted_at is null
      ${after === undefined ? sql`` : sql`and label_folded collate "C" > ${after}`}
    order by label_folded collate "C" limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toPressureTopic(row)
}

/** One topic. Throws notFound. */
export async function loadPressureTopic(db: Db, account: AccountId, id: string): Promise<PressureTopic> {
  const { rows: topicRows } = await sql<TopicRow>`
    select ${topicColumns} from pressure_topics where account = ${account} and id = ${id} and deleted_at is null`.execute(
    db,
  )
  const [row] = topicRows
  if (!row) throw notFoundProblem('topic', id)
  return toPressureTopic(row)
}

/** Locks a topic until the transaction ends and loads it. Throws notFound. */
export async function lockPressureTopic(tx: Db, account: AccountId, id: string): Promise<PressureTopic> {
  await sql`select from pressure_topics where account = ${account} and id = ${id} for update`.execute(tx)
  return loadPressureTopic(tx, account, id)
}

/** Topics and rules of an account are made one at a time, so that their number holds. */
async function lockAccountPressure(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
}

const constraintProblems = {
  unique: () => conflictProblem('topic-label-taken', 'Another topic has this label. Choose another one.'),
}

/** The lowest number that no topic has, and none had as long as counters may hold it. Throws conflict. */
async function findFreeNumber(tx: Db, { account, now }: PressureChangeAuthor): Promise<number> {
  await sql`
    delete from pressure_topics
    where account = ${account} and deleted_at < ${new Date(now.getTime() - PRESSURE_RETENTION_MS)}`.execute(tx)
  const { rows: numberRows } = await sql<{ live: number; free: number | null }>`
    select (select count(*) from pressure_topics where account = ${account} and deleted_at is null)::integer as live,
      (select n from generate_series(1, ${MAX_TOPIC_NUMBER}) as n
        where not exists (select from pressure_topics t where t.account = ${account} and t.number = n)
        order by n limit 1) as free`.execute(tx)
  const { live: liveCount = 0, free = null } = numberRows[0] ?? {}
  if (liveCount >= MAX_TOPICS)
    throw conflictProblem('too-many-topics', `An account can have at most ${MAX_TOPICS} topics.`)
  if (free === null) throw conflictProblem('too-many-topics', 'Too many topics were deleted in the last 92 days.')
  return free
}

/** Makes a topic. Throws 400, conflict when the label is taken or there are 500. */
export function createPressureTopic(
  db: Db,
  body: PressureTopicBody,
  change: PressureChangeAuthor,
): Promise<PressureTopic> {
  const { account, actor, now } = change
  const label = parsePressureLabel(body.label)
  return inTransaction(db, async (tx) => {
    await lockAccountPressure(tx, account)
    const [id, number] = [createUuidV7(now.getTime()), await findFreeNumber(tx, change)]
    const insertQuery = sql`
      insert into pressure_topics (id, account, number, label, label_folded, description, created_at, updated_at, created_by, modified_by, creator, modifier)
      values (${id}, ${account}, ${number}, ${label}, ${foldUnicodeCase(label)}, ${body.description ?? null}, ${now}, ${now}, ${actor.name}, ${actor.name}, ${toJsonbText(actor)}, ${toJsonbText(actor)})`
    await mapConstraintErrors(insertQuery.execute(tx), constraintProblems)
    return loadPressureTopic(tx, account, id)
  })
}

/** Changes the members given of a locked topic. Throws 400, conflict when the label is taken. */
export async function updatePressureTopic(
  tx: Db,
  { account, id }: LockedObject<string, PressureTopic>,
  body: PressureTopicBody,
  { actor, now }: PressureChangeAuthor,
): Promise<PressureTopic> {
  const label = body.label === undefined ? null : parsePressureLabel(body.label)
  const hasDescription = body.description !== undefined
  const updateQuery = sql`
    update pressure_topics set label = coalesce(${label}, label),
      label_folded = coalesce(${label === null ? null : foldUnicodeCase(label)}, label_folded),
      description = case when ${hasDescription} then ${body.description ?? null}::text else description end,
      updated_at = ${now}, modified_by = ${actor.name}, modifier = ${toJsonbText(actor)}
    where account = ${account} and id = ${id}`
  await mapConstraintErrors(updateQuery.execute(tx), constraintProblems)
  return loadPressureTopic(tx, account, id)
}

/** Deletes a locked topic. Throws conflict `topic-linked` with `links` to what names it. */
export async function deletePressureTopic(
  tx: Db,
  { account, id }: LockedObject<string, PressureTopic>,
  now: Date,
): Promise<void> {
  const links = await findPressureTopicLinks(tx, account, id)
  if (links.length > 0)
    throw conflictProblem('topic-linked', 'The topic is still in use. Remove it from the objects in links first.', {
      links,
    })
  await sql`
    update pressure_topics set deleted_at = ${now} where account = ${account} and id = ${id}`.execute(tx)
}

/** Throws notFound for the first topic that the account does not have; the others stay until the transaction ends. */
export async function requirePressureTopics(tx: Db, account: AccountId, topics: readonly string[]): Promise<void> {
  if (topics.length === 0) return
  const { rows: existingRows } = await sql<{ id: string }>`
    select id from pressure_topics
    where account = ${account} and id = any(${topics}::uuid[]) and deleted_at is null order by id for share`.execute(tx)
  const existingIds = new Set(existingRows.map(({ id }) => id))
  const unknownTopic = topics.find((id) => !existingIds.has(id))
  if (unknownTopic !== undefined) throw notFoundProblem('topic', unknownTopic)
}
