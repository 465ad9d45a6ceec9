import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/** A signal of a device about the messages it shows. */
export interface MutingSign {
  account: number
  subscription: string
  /** `channel`: of the app's own default when the value is null. */
  says: { type: 'global' } | { type: 'channel'; value: string | null } | { type: 'shown' }
  /** Time of the signal, if it is not recent. A device that was put since is not changed. */
  at?: Date
}

/** Change of one subscription. */
interface MutingChange {
  account: number
  id: string
  /** True if previous mutes are cleared. */
  clear: boolean
  at: Date | null
  muted: boolean
  channels: Set<string | null>
}

function mergeSigns(signs: readonly MutingSign[]): MutingChange[] {
  const changes = new Map<string, MutingChange>()
  for (const { account, subscription, says: sign, at = null } of signs) {
    const key = `${account} ${subscription}`
    const emptyChange = { account, id: subscription, at, muted: false, channels: new Set<string | null>() }
    const change = sign.type === 'shown' ? undefined : changes.get(key)
    const nextChange = change ?? { ...emptyChange, clear: sign.type === 'shown' }
    if (sign.type === 'global') nextChange.muted = true
    if (sign.type === 'channel') nextChange.channels.add(sign.value)
    changes.set(key, nextChange)
  }
  return [...changes.values()]
}

/**
 * Mutes subscriptions, and un-mutes those that showed a message, as their devices said in this order. Those that may still come
 * back change too.
 */
export async function applyMuting(tx: Db, signs: readonly MutingSign[]): Promise<void> {
  const changes = mergeSigns(signs)
  if (changes.length === 0) return
  const changesJson = JSON.stringify(changes.map((change) => ({ ...change, channels: [...change.channels] })))
  for (const targetTable of ['subscriptions', 'gone_subscriptions'] as const) {
    await sql`
      with chosen as materialized (
        select s.account, s.id, g.clear, g.muted, g.channels
        from jsonb_to_recordset(${changesJson}::jsonb) as g (account integer, id uuid, clear boolean, at timestamptz, muted boolean, channels text[])
        join ${sql.table(targetTable)} s on s.account = g.account and s.id = g.id
          and (g.at is null or greatest(s.created_at, s.updated_at, s.put_at) <= g.at)
        order by s.account, s.id for update of s)
      update ${sql.table(targetTable)} s set muted = g.muted or (s.muted and not g.clear),
        muted_channels = array(
          select distinct channel from unnest(case when g.clear then '{}' else s.muted_channels end || g.channels) as c (channel)
          order by channel)
      from chosen g where s.account = g.account and s.id = g.id`.execute(tx)
  }
}
