import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { flagBounces } from '../../contacts/bounce-flags/bounce-flags.ts'
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
    const writtenEvents = await appendEvents(tx, events)
    await applyEffects(
      tx,
      events.filter((_, n) => writtenEvents[n] !== undefined),
    )
    return writtenEvents
  })
}

async function applyEffects(tx: Db, events: readonly NewEvent[]): Promise<void> {
  for (const [account, accountEvents] of Map.groupBy(events, (event) => event.account)) {
    const effects = accountEvents.flatMap(({ effect }) => effect ?? [])
    await applyBounceFlags(
      tx,
      account,
      effects.filter((effect) => effect.type === 'flag'),
    )
    const lastEffects = pickLastEffects(effects.filter((effect) => effect.type !== 'flag'))
    await applyRemovals(
      tx,
      account,
      lastEffects.filter((effect) => effect.type === 'redListRemoval'),
    )
    await applyRedListEntries(
      tx,
      account,
      lastEffects.filter((effect) => effect.type === 'redList'),
    )
  }
}

async function applyBounceFlags(tx: Db, account: AccountId, flags: readonly BounceFlagEffect[]): Promise<void> {
  if (flags.length === 0) return
  const currentFlags = await filterCurrentFlags(tx, account, flags)
  await flagBounces(tx, account, currentFlags, await readContactSettings(tx, account))
}

/** The flags whose contact still has that address in that field. */
async function filterCurrentFlags(
  tx: Db,
  account: AccountId,
  flags: readonly BounceFlagEffect[],
): Promise<BounceFlagEffect[]> {
  const { rows } = await sql<{ n: number }>`
    select n::integer from unnest(${flags.map(({ contact }) => contact)}::bigint[], ${flags.map(({ field }) => field)}::integer[],
      ${flags.map(({ address }) => address)}::text[]) with ordinality as f (contact, field, address, n)
    join contacts c on c.account = ${account} and c.id = f.contact
    where lower(c.fields ->> f.field::text) = lower(f.address)`.execute(tx)
  const currentIndexes = new Set(rows.map(({ n }) => n - 1))
  return flags.filter((_, n) => currentIndexes.has(n))
}

/** Entries that say the same are made in one statement. */
async function applyRedListEntries(tx: Db, account: AccountId, entries: readonly RedListEffect[]): Promise<void> {
  const entryGroups = Map.groupBy(entries, ({ channel, origin, detail }) => JSON.stringify([channel, origin, detail]))
  for (const group of entryGroups.values()) {
    const [first] = group
    if (!first) continue
    await addToRedList(tx, account, first.channel, { contacts: group.map(({ contact }) => contact), entry: first })
  }
}

/** Returns, for each contact and list, the first entry or removal that no effect of the other kind follows. */
function pickLastEffects<One extends Exclude<EventEffect, BounceFlagEffect>>(effects: readonly One[]): One[] {
  const lastTypes = new Map(effects.map((effect) => [`${effect.channel} ${effect.contact}`, effect.type]))
  return effects.filter(({ channel, contact, type }) => lastTypes.get(`${channel} ${contact}`) === type)
}

/** Entries that go for the same reason go in one statement. */
async function applyRemovals(tx: Db, account: AccountId, removals: readonly RedListRemovalEffect[]): Promise<void> {
  const removalGroups = Map.groupBy(removals, ({ channel, detail, reason }) =>
    JSON.stringify([channel, detail, reason]),
  )
  for (const group of removalGroups.values()) {
    const [first] = group
    if (!first) continue
    await withdrawRedListEntries(tx, account, first.channel, {
      ...first,
      contacts: group.map(({ contact }) => contact),
    })
  }
}
