import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { RCS_CHANNEL } from '../kinds/event-kinds.ts'
import { answerableActivations, isFallbackActivation } from './every-activation.ts'
import type { AnySend, RcsRoute } from './record.ts'

/** A phone and an agent that talk. */
export interface RcsConversation {
  account: AccountId
  /** E.164. */
  phone: string
  agent: string
  /** Older messages are not answered any more. */
  since: Date
}

interface Row {
  n: number
  account: AccountId
  source: number
  contact: number | null
  /** Null once its contact was erased. */
  phone: string | null
  agent: string
  activation: Pick<AnySend, 'kind' | 'stamp'> & { receiver: AnySend['footprint']; field?: number; profile: number }
}

function sendOf({ account, source, contact, phone, agent, activation }: Row): AnySend {
  const { kind, receiver, stamp, field = null, profile } = activation
  const rcs: RcsRoute = { phone, agent, profile }
  return {
    account,
    channel: RCS_CHANNEL,
    sourceKind: RCS_CHANNEL,
    source,
    kind,
    contact,
    footprint: receiver,
    field,
    stamp,
    rcs,
  }
}

/** By their places in what was asked. */
function placed(rows: readonly Row[], count: number): (AnySend | undefined)[] {
  const found = new Map(rows.map((row) => [row.n - 1, sendOf(row)]))
  return Array.from({ length: count }, (_, index) => found.get(index))
}

const columns = sql`e.account, e.subject as source, e.contact, e.phone, e.agent, e.activation`
/** The rich message itself, not the SMS that went in its place. */
const isRich = sql`e.channel = ${sql.lit(RCS_CHANNEL)} and not ${isFallbackActivation}`

/** The sends of these stamps as their activations tell of them, in one statement; undefined where none is stored. */
export async function findRcsSends(
  db: Db,
  keys: readonly { account: AccountId; stamp: string }[],
): Promise<(AnySend | undefined)[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<Row>`
    select k.n::integer, e.* from unnest(
      ${keys.map(({ account }) => account)}::integer[], ${keys.map(({ stamp }) => stamp)}::uuid[])
      with ordinality as k (account, stamp, n)
    cross join lateral (
      select ${columns} from ${answerableActivations} e where e.account = k.account and e.stamp = k.stamp and ${isRich} limit 1) e`.execute(
    db,
  )
  return placed(rows, keys.length)
}

/** The latest send of an agent to a phone, of each conversation; undefined where there is none since then. */
export async function findLatestRcsSends(db: Db, asked: readonly RcsConversation[]): Promise<(AnySend | undefined)[]> {
  if (asked.length === 0) return []
  const { rows } = await sql<Row>`
    select k.n::integer, e.* from unnest(
      ${asked.map(({ account }) => account)}::integer[], ${asked.map(({ phone }) => phone)}::text[],
      ${asked.map(({ agent }) => agent)}::text[], ${asked.map(({ since }) => since)}::timestamptz[])
      with ordinality as k (account, phone, agent, since, n)
    cross join lateral (
      select ${columns} from ${answerableActivations} e
      where e.account = k.account and e.phone = k.phone and e.agent = k.agent and e.at > k.since and ${isRich}
      order by e.at desc limit 1) e`.execute(db)
  return placed(rows, asked.length)
}

/** The stamps, of these, whose message arrived or was read. */
export async function findDeliveredRcsStamps(
  db: Db,
  keys: readonly { account: AccountId; stamp: string }[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ stamp: string }>`
    select distinct e.stamp from unnest(
      ${keys.map(({ account }) => account)}::integer[], ${keys.map(({ stamp }) => stamp)}::uuid[]) as k (account, stamp)
    join events e on e.account = k.account and e.stamp = k.stamp
    where e.channel = ${sql.lit(RCS_CHANNEL)} and e.kind in ('deliveries', 'interactions/read')
      and (e.detail #> '{activation,fallback}') is null`.execute(db)
  return new Set(rows.map(({ stamp }) => stamp))
}
