import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/** What a device said of the messages it gets. */
export interface MutingSign {
  account: number
  subscription: string
  /** `channel`: of the app's own default when the value is null. */
  says: { type: 'global' } | { type: 'channel'; value: string | null } | { type: 'shown' }
  /** When, where that was a while ago: a device that was put since is left as it is. */
  at?: Date
}

/** What becomes of one subscription. */
interface Change {
  account: number
  id: string
  /** Whether what was muted before no longer is. */
  clear: boolean
  at: Date | null
  muted: boolean
  channels: Set<string | null>
}

function changesOf(signs: readonly MutingSign[]): Change[] {
  const changes = new Map<string, Change>()
  for (const { account, subscription, says, at = null } of signs) {
    const key = `${account} ${subscription}`
    const nothing = { account, id: subscription, at, muted: false, channels: new Set<string | null>() }
    const change = says.type === 'shown' ? undefined : changes.get(key)
    const next = change ?? { ...nothing, clear: says.type === 'shown' }
    if (says.type === 'global') next.muted = true
    if (says.type === 'channel') next.channels.add(says.value)
    changes.set(key, next)
  }
  return [...changes.values()]
}

/**
 * Mutes subscriptions, and un-mutes those that showed a message, as their devices said in this order. Those that may still come
 * back change too.
 */
export async function applyMuting(tx: Db, signs: readonly MutingSign[]): Promise<void> {
  const changes = changesOf(signs)
  if (changes.length === 0) return
  const given = JSON.stringify(changes.map((change) => ({ ...change, channels: [...change.channels] })))
  for (const table of ['subscriptions', 'gone_subscriptions'] as const) {
    await sql`
      with chosen as materialized (
        select s.account, s.id, g.clear, g.muted, g.channels
        from jsonb_to_recordset(${given}::jsonb) as g (account integer, id uuid, clear boolean, at timestamptz, muted boolean, channels text[])
        join ${sql.table(table)} s on s.account = g.account and s.id = g.id
          and (g.at is null or greatest(s.created_at, s.updated_at, s.put_at) <= g.at)
        order by s.account, s.id for update of s)
      update ${sql.table(table)} s set muted = g.muted or (s.muted and not g.clear),
        muted_channels = array(
          select distinct channel from unnest(case when g.clear then '{}' else s.muted_channels end || g.channels) as c (channel)
          order by channel)
      from chosen g where s.account = g.account and s.id = g.id`.execute(tx)
  }
}
