import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AdoptedOptout } from '../../events/record/early.ts'
import { recordEvents } from '../../events/record/effects.ts'
import {
  createPushSignalEvent,
  type PushDestination,
  type PushHit,
  readPushDestinations,
} from '../../events/record/push-signals.ts'
import { applyMuting, type MutingSign } from '../../subscriptions/muting.ts'

/** What a sign changes about its subscription; a test changes nothing. */
function mutingOf({ type, token }: PushHit, { channel, isKnown }: PushDestination): MutingSign[] {
  const { account, subscription, test } = token
  if (test) return []
  if (type === 'impression') return [{ account, subscription, says: { type: 'shown' } }]
  if (type === 'optout.global') return [{ account, subscription, says: { type: 'global' } }]
  // Which channel it is, is known with the activation: see muteAdoptedOptouts.
  if (type === 'optout.channel' && isKnown)
    return [{ account, subscription, says: { type: 'channel', value: channel } }]
  return []
}

/** Mutes devices for channels that were not known when they opted out; not those that were put again since. */
export async function muteAdoptedOptouts(tx: Db, optouts: readonly AdoptedOptout[]): Promise<void> {
  await applyMuting(
    tx,
    optouts.map(({ account, subscription, channel, at }) => {
      return { account, subscription, says: { type: 'channel', value: channel }, at }
    }),
  )
}

/** Stores what apps reported, with its effects, in one transaction: what is stored already is not again, and changes nothing. */
export async function recordPushHits(db: Db, hits: readonly PushHit[]): Promise<void> {
  if (hits.length === 0) return
  await inTransaction(db, async (tx) => {
    const shown = await readPushDestinations(
      tx,
      hits.map(({ token }) => token),
    )
    const own = hits.map((hit, n) => ({ hit, shown: shown[n] ?? { channel: null, redirection: null, isKnown: false } }))
    const written = await recordEvents(
      tx,
      own.map(({ hit, shown }) => createPushSignalEvent(hit, shown)),
    )
    const fresh = own.filter((_, n) => written[n] !== undefined)
    await applyMuting(
      tx,
      fresh.flatMap(({ hit, shown }) => mutingOf(hit, shown)),
    )
  })
}
