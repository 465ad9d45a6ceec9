import type { Gateway } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import type { AccountKeys } from '../accounts/domain-keys.ts'
import { type Claimed, claimMessages } from './claim.ts'
import { exclusionOf } from './exclusions.ts'
import { loadFacts } from './facts.ts'
import { fetching, hasToFetch } from './fetching.ts'
import type { AccountMaterials, CompiledVersion, Ready } from './materials.ts'
import type { Lane } from './outbox.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import { type Sender, whileAway } from './sender-context.ts'
import { common, type Share, sendShare } from './share.ts'

/** How long a claim lasts without being renewed. */
export const LEASE_MS = 5 * 60_000

/** Gathers what claimed messages need: their versions, their accounts' rules, and the facts of this moment. */
async function prepare({ db, materials, signing, clock }: Sender, claimed: readonly Claimed[]): Promise<Ready[]> {
  const versions = new Map<number, CompiledVersion>()
  const owners = new Map<AccountId, { owner: AccountMaterials; keys: AccountKeys['byDomain'] }>()
  for (const { account, version } of claimed) {
    if (!versions.has(version)) versions.set(version, await materials.version(account, version))
    if (!owners.has(account))
      owners.set(account, { owner: await materials.account(account), keys: await signing.of(account) })
  }
  const facts = await loadFacts(db, claimed, (version) => versions.get(version)!.source.settings.field)
  const now = clock.now()
  return claimed.flatMap((message) => {
    const [version, own, known] = [versions.get(message.version), owners.get(message.account), facts.get(message.id)]
    return version && own && known
      ? {
          ...own,
          message,
          version,
          source: version.source,
          facts: known,
          rules: own.owner.rules,
          account: message.account,
          now,
        }
      : []
  })
}

/** The gateway of each message, and the messages of each gateway. */
async function byGateway({ gateways }: Sender, list: readonly Ready[]): Promise<Map<Gateway, Ready[]>> {
  const groups = new Map<Gateway, Ready[]>()
  for (const ready of list) {
    const gateway = await gateways.gatewayOf(ready.account, ready.message.channel)
    const group = groups.get(gateway)
    if (group) group.push(ready)
    else groups.set(gateway, [ready])
  }
  return groups
}

/** Ends the messages that are excluded; gives the others, by gateway. */
async function sortOut(
  sender: Sender,
  claimed: readonly Claimed[],
  recorder: Recorder,
): Promise<Map<Gateway, Ready[]>> {
  const fit: Ready[] = []
  for (const ready of await whileAway(sender, () => prepare(sender, claimed))) {
    const cancellation = exclusionOf(ready)
    if (cancellation)
      recorder.add({ ...common(ready, sender.clock.now()), ending: { type: 'cancelled', cancellation } })
    else fit.push(ready)
  }
  return whileAway(sender, () => byGateway(sender, fit))
}

/** Sends what a gateway is to have of a batch. Messages that wait for files of others keep none of the rest waiting. */
function sendTo(
  batch: Pick<Share, 'sender' | 'gateway' | 'journal' | 'recorder'>,
  list: readonly Ready[],
): Promise<void>[] {
  const shareOf = (own: readonly Ready[]): Share => {
    const untouched = new Set(own.map(({ message }) => message.id))
    return { ...batch, made: new Map(), later: [], untouched, isStorageAway: false }
  }
  const { whole = [], waiting = [] } = Object.groupBy(list, (ready) => (hasToFetch(ready) ? 'waiting' : 'whole'))
  const slow = shareOf(waiting)
  return [
    ...(whole.length > 0 ? [sendShare(shareOf(whole), [whole])] : []),
    ...(waiting.length > 0 ? [sendShare(slow, fetching(slow, waiting))] : []),
  ]
}

/**
 * Claims up to `limit` messages of a lane, checks, composes, sends and records them; gives how many were claimed.
 * While the database is away it waits with what it has. When it throws, the next sender takes up what is left from the journal.
 */
export async function sendBatch(sender: Sender, lane: Lane, limit: number): Promise<number> {
  const claimed = await claimMessages(sender.db, sender.id, lane, { limit, now: sender.clock.now(), leaseMs: LEASE_MS })
  if (claimed.length === 0) return 0
  const recorder = startRecorder(sender, new Map(claimed.map((message) => [message.id, message])))
  const journal = sender.journal.open()
  try {
    const groups = await sortOut(sender, claimed, recorder)
    const shares = [...groups].flatMap(([gateway, list]) => sendTo({ sender, gateway, journal, recorder }, list))
    await Promise.all(shares)
  } finally {
    await recorder.finish()
  }
  journal.close()
  return claimed.length
}
