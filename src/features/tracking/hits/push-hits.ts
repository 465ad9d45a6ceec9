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

/** Change of a subscription by a push signal; a test changes nothing. */
function toMutingSign({ type, token }: PushHit, { channel, isKnown }: PushDestination): MutingSign[] {
  const { account, subscription, test: isTest } = token
  if (isTest) return []
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
    const destinationInfo = await readPushDestinations(
      tx,
      hits.map(({ token }) => token),
    )
    const hitsWithDestination = hits.map((hit, n) => ({
      hit,
      shown: destinationInfo[n] ?? { channel: null, redirection: null, isKnown: false },
    }))
    const recordedEvents = await recordEvents(
      tx,
      hitsWithDestination.map(({ hit, shown }) => createPushSignalEvent(hit, shown)),
    )
    const newHits = hitsWithDestination.filter((_, n) => recordedEvents[n] !== undefined)
    await applyMuting(
      tx,
      newHits.flatMap(({ hit, shown }) => toMutingSign(hit, shown)),
    )
  })
}
