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

interface RcsActivationRow {
  n: number
  account: AccountId
  source: number
  contact: number | null
  /** Null once its contact was erased. */
  phone: string | null
  agent: string
  activation: Pick<AnySend, 'kind' | 'stamp'> & { receiver: AnySend['footprint']; field?: number; profile: number }
}

function toSend({ account, source, contact, phone, agent, activation }: RcsActivationRow): AnySend {
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
function orderByPosition(rows: readonly RcsActivationRow[], count: number): (AnySend | undefined)[] {
  const sendsByIndex = new Map(rows.map((row) => [row.n - 1, toSend(row)]))
  return Array.from({ length: count }, (_, index) => sendsByIndex.get(index))
}

const activationColumns = sql`e.account, e.subject as source, e.contact, e.phone, e.agent, e.activation`
/** The rich message itself, not the SMS that went in its place. */
const richMessageCondition = sql`e.channel = ${sql.lit(RCS_CHANNEL)} and not ${isFallbackActivation}`

/** The sends of these stamps as their activations tell of them, in one statement; undefined where none is stored. */
export async function findRcsSends(
  db: Db,
  keys: readonly { account: AccountId; stamp: string }[],
): Promise<(AnySend | undefined)[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<RcsActivationRow>`
    select k.n::integer, e.* from unnest(
      ${keys.map(({ account }) => account)}::integer[], ${keys.map(({ stamp }) => stamp)}::uuid[])
      with ordinality as k (account, stamp, n)
    cross join lateral (
      select ${activationColumns} from ${answerableActivations} e where e.account = k.account and e.stamp = k.stamp and ${richMessageCondition} limit 1) e`.execute(
    db,
  )
  return orderByPosition(rows, keys.length)
}

/** Returns the latest send of an agent to a phone, for each conversation; `undefined` if there is none since its time. */
export async function findLatestRcsSends(
  db: Db,
  conversations: readonly RcsConversation[],
): Promise<(AnySend | undefined)[]> {
  if (conversations.length === 0) return []
  const { rows } = await sql<RcsActivationRow>`
    select k.n::integer, e.* from unnest(
      ${conversations.map(({ account }) => account)}::integer[], ${conversations.map(({ phone }) => phone)}::text[],
      ${conversations.map(({ agent }) => agent)}::text[], ${conversations.map(({ since }) => since)}::timestamptz[])
      with ordinality as k (account, phone, agent, since, n)
    cross join lateral (
      select ${activationColumns} from ${answerableActivations} e
      where e.account = k.account and e.phone = k.phone and e.agent = k.agent and e.at > k.since and ${richMessageCondition}
      order by e.at desc limit 1) e`.execute(db)
  return orderByPosition(rows, conversations.length)
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
