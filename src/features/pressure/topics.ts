import { sql } from 'kysely'
import { type Db, inTransaction, json } from '../../database/connection/connect.ts'
import { refusing } from '../../database/errors.ts'
import { rows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflict, notFound } from '../../lib/errors/problem.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { fold } from '../../lib/text/fold.ts'
import { KEPT_MS } from './counters/buckets.ts'
import type { Topic, TopicBody } from './pressure-schemas.ts'
import { type Change, type MadeRow, madeBy, readLabel } from './rules/labels.ts'
import { topicLinks } from './topic-links.ts'

const MAX_TOPICS = 500
/** The largest number of a topic: migration 0051. */
const MAX_NUMBER = 8191

interface Row extends MadeRow {
  id: string
  label: string
  description: string | null
}

const columns = sql`id, label, description, created_at, updated_at, created_by, modified_by, creator, modifier`

function show(row: Row): Topic {
  const { id, label, description } = row
  return { id, label, description, ...madeBy(row) }
}

/** Where a topic stands in the list. */
export function topicKey({ label }: Topic): string {
  return fold(label)
}

/** Every topic, by label. */
export async function* listTopics(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<Topic> {
  const query = sql<Row>`
    select ${columns} from pressure_topics
    where account = ${account} and deleted_at is null
      ${after === undefined ? sql`` : sql`and label_folded collate "C" > ${after}`}
    order by label_folded collate "C" limit ${limit ?? null}::integer`
  for await (const row of rows(db, query)) yield show(row)
}

/** One topic. Throws notFound. */
export async function readTopic(db: Db, account: AccountId, id: string): Promise<Topic> {
  const { rows: found } = await sql<Row>`
    select ${columns} from pressure_topics where account = ${account} and id = ${id} and deleted_at is null`.execute(db)
  const [row] = found
  if (!row) throw notFound('topic', id)
  return show(row)
}

/** Locks a topic until the transaction ends. Throws notFound. */
export async function lockTopic(tx: Db, account: AccountId, id: string): Promise<void> {
  const { rows: found } = await sql`
    select from pressure_topics where account = ${account} and id = ${id} and deleted_at is null for update`.execute(tx)
  if (found.length === 0) throw notFound('topic', id)
}

/** Topics and rules of an account are made one at a time, so that their number holds. */
async function lockAccount(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
}

const refusals = { unique: () => conflict('topic-label-taken', 'Another topic has this label: choose another one.') }

/** The lowest number that no topic has, and none had as long as counters may hold it. Throws conflict. */
async function freeNumber(tx: Db, { account, now }: Change): Promise<number> {
  await sql`
    delete from pressure_topics
    where account = ${account} and deleted_at < ${new Date(now.getTime() - KEPT_MS)}`.execute(tx)
  const { rows: found } = await sql<{ live: number; free: number | null }>`
    select (select count(*) from pressure_topics where account = ${account} and deleted_at is null)::integer as live,
      (select n from generate_series(1, ${MAX_NUMBER}) as n
        where not exists (select from pressure_topics t where t.account = ${account} and t.number = n)
        order by n limit 1) as free`.execute(tx)
  const { live = 0, free = null } = found[0] ?? {}
  if (live >= MAX_TOPICS) throw conflict('too-many-topics', `An account has at most ${MAX_TOPICS} topics.`)
  if (free === null) throw conflict('too-many-topics', 'Too many topics were deleted in the last 92 days.')
  return free
}

/** Makes a topic. Throws 400, conflict when the label is taken or there are 500. */
export function createTopic(db: Db, body: TopicBody, change: Change): Promise<Topic> {
  const { account, actor, now } = change
  const label = readLabel(body.label)
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, account)
    const [id, number] = [uuidV7(now.getTime()), await freeNumber(tx, change)]
    const insert = sql`
      insert into pressure_topics (id, account, number, label, label_folded, description, created_at, updated_at, created_by, modified_by, creator, modifier)
      values (${id}, ${account}, ${number}, ${label}, ${fold(label)}, ${body.description ?? null}, ${now}, ${now}, ${actor.name}, ${actor.name}, ${json(actor)}, ${json(actor)})`
    await refusing(insert.execute(tx), refusals)
    return readTopic(tx, account, id)
  })
}

/** Changes the members given. Throws notFound, 400, conflict when the label is taken. */
export function updateTopic(db: Db, id: string, body: TopicBody, change: Change): Promise<Topic> {
  const { account, actor, now } = change
  const label = body.label === undefined ? null : readLabel(body.label)
  return inTransaction(db, async (tx) => {
    await lockTopic(tx, account, id)
    const hasDescription = body.description !== undefined
    const update = sql`
      update pressure_topics set label = coalesce(${label}, label),
        label_folded = coalesce(${label === null ? null : fold(label)}, label_folded),
        description = case when ${hasDescription} then ${body.description ?? null}::text else description end,
        updated_at = ${now}, modified_by = ${actor.name}, modifier = ${json(actor)}
      where account = ${account} and id = ${id}`
    await refusing(update.execute(tx), refusals)
    return readTopic(tx, account, id)
  })
}

/** Deletes a topic. Throws notFound, conflict `topic-linked` with `links` to what names it. */
export function deleteTopic(db: Db, account: AccountId, id: string, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockTopic(tx, account, id)
    const links = await topicLinks(tx, account, id)
    if (links.length > 0) throw conflict('topic-linked', 'Something still names this topic: see links.', { links })
    await sql`
      update pressure_topics set deleted_at = ${now} where account = ${account} and id = ${id}`.execute(tx)
  })
}

/** Throws notFound for the first topic that the account does not have; the others stay until the transaction ends. */
export async function requireTopics(tx: Db, account: AccountId, topics: readonly string[]): Promise<void> {
  if (topics.length === 0) return
  const { rows: found } = await sql<{ id: string }>`
    select id from pressure_topics
    where account = ${account} and id = any(${topics}::uuid[]) and deleted_at is null order by id for share`.execute(tx)
  const known = new Set(found.map(({ id }) => id))
  const unknown = topics.find((id) => !known.has(id))
  if (unknown !== undefined) throw notFound('topic', unknown)
}
