import { sql } from 'kysely'
import type { SendingChannelName } from '../../../channels/channel-traits.ts'
import { smsChannelTraits } from '../../../channels/sms/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type ActivatedSend, type ActivationRow, toActivatedSend } from './activations.ts'
import { answerableActivations } from './every-activation.ts'
import type { RcsRoute } from './record.ts'

/** A send, named by its account and its stamp. */
export interface SmsSendKey {
  account: AccountId
  stamp: string
}

interface SmsActivationRow extends ActivationRow {
  n: number
  channel: SendingChannelName
  /** Set for an SMS that was sent in place of a rich message. */
  phone: string | null
  agent: string | null
  activation: ActivationRow['activation'] & Partial<Pick<RcsRoute, 'profile' | 'fallback'>>
}

/** One that went in place of a rich message is of the channel of that one. */
function toSmsSend({ channel, phone, agent, ...row }: SmsActivationRow): ActivatedSend {
  const { send, address } = toActivatedSend(row, channel)
  const { profile, fallback } = row.activation
  if (!fallback || agent === null || profile === undefined) return { send, address }
  return { send: { ...send, rcs: { phone, agent, profile, fallback } }, address }
}

/** An SMS, or what went as one in place of a rich message. */
const smsCondition = sql`(channel = ${smsChannelTraits.name} or (activation #>> '{fallback,type}') = ${smsChannelTraits.name})`

/** The activations of SMS in the order of their keys, in one statement; undefined where none is stored any more. */
export async function findSmsActivations(db: Db, keys: readonly SmsSendKey[]): Promise<(ActivatedSend | undefined)[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<SmsActivationRow>`
    select k.n::integer, e.account, e.subject as source, e.contact, e.channel, e.phone, e.agent, e.activation
    from unnest(${keys.map(({ account }) => account)}::integer[], ${keys.map(({ stamp }) => stamp)}::uuid[])
      with ordinality as k (account, stamp, n)
    cross join lateral (
      select account, subject, contact, channel, phone, agent, activation from ${answerableActivations} e
      where account = k.account and stamp = k.stamp and ${smsCondition} limit 1) e`.execute(db)
  const rowsByIndex = new Map(rows.map((row) => [row.n - 1, row]))
  return keys.map((_, index) => {
    const row = rowsByIndex.get(index)
    return row && toSmsSend(row)
  })
}
