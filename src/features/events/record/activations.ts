import { sql } from 'kysely'
import { getChannelTraits, type SendingChannelName } from '../../../channels/channel-traits.ts'
import { emailChannelTraits } from '../../../channels/email/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { answerableActivations } from './every-activation.ts'
import type { ChannelSend } from './record.ts'

/** A send, and the address it went to; '' once its contact was erased. */
export interface ActivatedSend {
  send: ChannelSend
  address: string
}

/** The stored activation of a send. */
export interface ActivationRow {
  account: AccountId
  source: number
  contact: number | null
  activation: {
    kind: ChannelSend['kind']
    receiver: ChannelSend['footprint']
    stamp: ChannelSend['stamp']
    recipient: string
    field?: number
  }
}

/** The activation of an email by its stamp, of one of the accounts and however old; undefined when none is stored. */
export async function findMailActivation(
  db: Db,
  accounts: readonly AccountId[],
  stamp: string,
): Promise<ActivatedSend | undefined> {
  const { rows } = await sql<ActivationRow>`
    select account, subject as source, contact, activation from ${answerableActivations} e
    where account = any(${accounts}::integer[]) and stamp = ${stamp}::uuid and channel = ${emailChannelTraits.name}
    order by at limit 1`.execute(db)
  const [row] = rows
  return row && toActivatedSend(row, emailChannelTraits.name)
}

/** The send of an activation. */
export function toActivatedSend(
  { account, source, contact, activation }: ActivationRow,
  channel: SendingChannelName,
): ActivatedSend {
  const { kind, receiver, stamp, recipient, field = null } = activation
  return {
    send: {
      account,
      channel,
      sourceKind: getChannelTraits(channel).sourceKind,
      source,
      kind,
      contact,
      footprint: receiver,
      field,
      stamp,
    },
    address: recipient,
  }
}

/** Returns the stamp of the latest email to a contact at that address since a time; `undefined` if there is none. */
export async function findLatestMailTo(
  db: Db,
  account: AccountId,
  { contact, address, since }: { contact: number; address: string; since: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ stamp: string }>`
    select stamp from events
    where account = ${account} and contact = ${contact} and at > ${since} and kind = 'activations' and channel = ${emailChannelTraits.name}
      and lower(detail #>> '{activation,recipient}') = lower(${address})
    order by at desc limit 1`.execute(db)
  return rows[0]?.stamp
}
