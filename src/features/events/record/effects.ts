import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { flagBounces } from '../../contacts/bounces/bounces.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import { addToRedList, withdrawRedListEntries } from '../../contacts/suppressions/red-list.ts'
import { appendEvents } from './append.ts'
import type {
  BounceFlagEffect,
  EventEffect,
  NewEvent,
  RedListEffect,
  RedListRemovalEffect,
  WrittenEvent,
} from './new-event.ts'

/**
 * Writes events as `appendEvents` does, and in the same transaction applies the effects of those that were written:
 * what is reported twice changes nothing the second time.
 */
export async function recordEvents(db: Db, events: readonly NewEvent[]): Promise<(WrittenEvent | undefined)[]> {
  return inTransaction(db, async (tx) => {
    const written = await appendEvents(tx, events)
    await applyEffects(
      tx,
      events.filter((_, n) => written[n] !== undefined),
    )
    return written
  })
}

async function applyEffects(tx: Db, events: readonly NewEvent[]): Promise<void> {
  for (const [account, own] of Map.groupBy(events, (event) => event.account)) {
    const effects = own.flatMap(({ effect }) => effect ?? [])
    await applyFlags(
      tx,
      account,
      effects.filter((effect) => effect.type === 'flag'),
    )
    const last = lastOfEach(effects.filter((effect) => effect.type !== 'flag'))
    await applyRemovals(
      tx,
      account,
      last.filter((effect) => effect.type === 'redListRemoval'),
    )
    await applyRedList(
      tx,
      account,
      last.filter((effect) => effect.type === 'redList'),
    )
  }
}

async function applyFlags(tx: Db, account: AccountId, flags: readonly BounceFlagEffect[]): Promise<void> {
  if (flags.length === 0) return
  const holding = await stillHolding(tx, account, flags)
  await flagBounces(tx, account, holding, await readContactSettings(tx, account))
}

/** The flags whose contact still has that address in that field. */
async function stillHolding(
  tx: Db,
  account: AccountId,
  flags: readonly BounceFlagEffect[],
): Promise<BounceFlagEffect[]> {
  const { rows } = await sql<{ n: number }>`
    select n::integer from unnest(${flags.map(({ contact }) => contact)}::bigint[], ${flags.map(({ field }) => field)}::integer[],
      ${flags.map(({ address }) => address)}::text[]) with ordinality as f (contact, field, address, n)
    join contacts c on c.account = ${account} and c.id = f.contact
    where lower(c.fields ->> f.field::text) = lower(f.address)`.execute(tx)
  const held = new Set(rows.map(({ n }) => n - 1))
  return flags.filter((_, n) => held.has(n))
}

/** Entries that say the same are made in one statement. */
async function applyRedList(tx: Db, account: AccountId, entries: readonly RedListEffect[]): Promise<void> {
  const alike = Map.groupBy(entries, ({ channel, origin, detail }) => JSON.stringify([channel, origin, detail]))
  for (const group of alike.values()) {
    const [first] = group
    if (!first) continue
    await addToRedList(tx, account, first.channel, { contacts: group.map(({ contact }) => contact), entry: first })
  }
}

/** Of what is said of one contact and one list the first entry, or the removal, that nothing of the other kind follows. */
function lastOfEach<One extends Exclude<EventEffect, BounceFlagEffect>>(effects: readonly One[]): One[] {
  const last = new Map(effects.map((effect) => [`${effect.channel} ${effect.contact}`, effect.type]))
  return effects.filter(({ channel, contact, type }) => last.get(`${channel} ${contact}`) === type)
}

/** Entries that go for the same reason go in one statement. */
async function applyRemovals(tx: Db, account: AccountId, removals: readonly RedListRemovalEffect[]): Promise<void> {
  const alike = Map.groupBy(removals, ({ channel, detail, reason }) => JSON.stringify([channel, detail, reason]))
  for (const group of alike.values()) {
    const [first] = group
    if (!first) continue
    await withdrawRedListEntries(tx, account, first.channel, {
      ...first,
      contacts: group.map(({ contact }) => contact),
    })
  }
}
