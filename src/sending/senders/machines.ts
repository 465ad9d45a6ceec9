import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import { MESSAGE_LEASE_MS } from '../claim/renew-message-leases.ts'
import { decideHeldMessages } from '../record/held-messages.ts'
import { holdLostMessages } from '../recover/hold-lost-messages.ts'
import { getMachineNameRange } from './sender-names.ts'

/** The time for which a sighting of an untrusted proxy counts. */
const UNTRUSTED_PROXY_MS = 3_600_000

/** A data directory that processes are started on; its journals and spools are read where it is, and nowhere else. */
export interface SenderMachine {
  id: string
  host: string
  directory: string
}

/** A machine as the database knows it. */
export interface KnownSenderMachine extends SenderMachine {
  seenAt: Date
  /** Messages that its senders have in hand, and those of them whose outcome is unknown as its journals were not read. */
  claimed: number
  held: number
}

/** Records that a machine is alive. */
export async function recordSenderMachine(db: Db, { id, host, directory }: SenderMachine, now: Date): Promise<void> {
  await sql`
    insert into machines (id, host, directory, seen_at) values (${id}, ${host}, ${directory}, ${now})
    on conflict (id) do update set host = excluded.host, directory = excluded.directory,
      seen_at = greatest(machines.seen_at, excluded.seen_at)`.execute(db)
}

/** Records that an address sent X-Forwarded-For to a machine without being trusted. */
export async function recordUntrustedProxy(
  db: Db,
  { id, host, directory }: SenderMachine,
  address: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into machines (id, host, directory, seen_at, untrusted_proxy, untrusted_at)
    values (${id}, ${host}, ${directory}, ${now}, ${address}, ${now})
    on conflict (id) do update set untrusted_proxy = excluded.untrusted_proxy, untrusted_at = excluded.untrusted_at`.execute(
    db,
  )
}

/** The address that last sent X-Forwarded-For to any machine in the last hour without being trusted; undefined when none did. */
export async function findUntrustedProxy(db: Db, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('machines')
    .select('untrusted_proxy')
    .where('untrusted_at', '>', new Date(now - UNTRUSTED_PROXY_MS))
    .orderBy('untrusted_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.untrusted_proxy ?? undefined
}

/** Machines other than this one that were alive since. */
export async function listOtherMachines(db: Db, ownId: string, since: Date): Promise<SenderMachine[]> {
  return db
    .selectFrom('machines')
    .select(['id', 'host', 'directory'])
    .where('id', '<>', ownId)
    .where('seen_at', '>', since)
    .orderBy('id')
    .execute()
}

/** Condition that the sender of a claim, `claimed_by`, belonged to the machine. */
function buildMachineCondition(claimedBy: RawBuilder<unknown>, machine: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${claimedBy} between (${machine} || '-0000-0000-0000-000000000000')::uuid and (${machine} || '-ffff-ffff-ffff-ffffffffffff')::uuid`
}

/** Every machine there was, those seen last first. */
export async function listSenderMachines(db: Db): Promise<KnownSenderMachine[]> {
  const { rows } = await sql<KnownSenderMachine>`
    select k.id, k.host, k.directory, k.seen_at as "seenAt", m.held,
      m.claimed + (
        select coalesce(sum(cardinality(s.contacts)), 0)::integer from message_slices s where ${buildMachineCondition(sql`s.claimed_by`, sql`k.id`)}
      ) as claimed
    from machines k cross join lateral (
      select count(*) filter (where state = 'held')::integer as held, count(*) filter (where state = 'claimed')::integer as claimed
      from messages m where ${buildMachineCondition(sql`m.claimed_by`, sql`k.id`)}
    ) m
    order by k.seen_at desc, k.id`.execute(db)
  return rows
}

/** Why a machine cannot be settled. */
export type MachineRetirementRefusal = { is: 'unknown' } | { is: 'alive'; seenAt: Date }

/**
 * Settles a machine that never comes back: decides about all that is held of its senders, in every account, and forgets
 * it. Gives how many messages they were. Refused while its leases run, as a sender of it may still be at work.
 */
export async function retireMachine(
  db: Db,
  id: string,
  decision: 'send' | 'drop',
  now: Date,
): Promise<{ is: 'settled'; messages: number } | MachineRetirementRefusal> {
  // Leases are renewed as long as the machine is seen: all of them are over.
  await holdLostMessages(db, now)
  return inRetriedTransaction(db, async (tx) => {
    const machineRow = await tx
      .selectFrom('machines')
      .select('seen_at')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!machineRow) return { is: 'unknown' }
    if (machineRow.seen_at.getTime() + MESSAGE_LEASE_MS > now.getTime())
      return { is: 'alive', seenAt: machineRow.seen_at }
    const { first: firstName, last: lastName } = getMachineNameRange(id)
    const { rows } = await sql<{ account: number }>`
      select distinct account from messages where state = 'held' and claimed_by between ${firstName}::uuid and ${lastName}::uuid
      order by account`.execute(tx)
    let messageCount = 0
    for (const { account } of rows)
      messageCount += await decideHeldMessages(
        tx,
        account,
        { decision, of: { senders: { first: firstName, last: lastName } } },
        now,
      )
    await tx.deleteFrom('machines').where('id', '=', id).execute()
    return { is: 'settled', messages: messageCount }
  })
}
