import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import type { SendCancellation } from '../../features/events/record/record.ts'
import { getMessageSliceId, getSlicePosition, isSliceMessageId, lockSliceReservations } from '../plan/message-slices.ts'
import { addReservedPositions, listPositionReservations, type SliceReservations } from '../plan/slice-reservations.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import type { MessagePostponement } from '../record/outcome.ts'
import type { ClaimedMessage } from './queue-messages.ts'

/** A message that a kind of reservation is to decide on. */
export interface ReservationCandidate extends PreparedMessage {
  /** The key of the place it holds already; null: none. */
  held: string | null
  /** The key under which it must hold one, as others of its slice do; null: any. */
  key: string | null
}

/** Decision on a message: it passes and holds a place under a key, is cancelled, or waits (until milliseconds). */
export type ReservationDecision =
  | { type: 'reserved'; key: string }
  | { type: 'cancelled'; cancellation: SendCancellation }
  | { type: 'postponed'; until: number; reply: string; postponement?: MessagePostponement }

/** A message that has ended, with the key of its place; null: it held none. */
export interface ReservationEnd {
  message: Pick<
    ClaimedMessage,
    | 'account'
    | 'contact'
    | 'channel'
    | 'kind'
    | 'sending'
    | 'sourceKind'
    | 'source'
    | 'version'
    | 'stamp'
    | 'reservations'
  >
  key: string | null
  /** Milliseconds. */
  at: number
}

/**
 * Places in counters that messages may hold. All is called in the transaction of the outbox that writes the same of the
 * message, so that each step is taken once, whatever happens to a process.
 */
export interface ReservationKind {
  /** Returns true if a batch may require a decision: otherwise nothing of it is locked. Absent: it always may. */
  concerns?(db: Db, list: readonly PreparedMessage[]): Promise<boolean>
  /**
   * Decides on messages of a batch, in the order of planning, after all other exclusions; one that has no decision passes
   * and holds what it held. It counts what it reserves.
   */
  decide?(tx: Db, candidates: readonly ReservationCandidate[]): Promise<ReadonlyMap<number, ReservationDecision>>
  /** Messages that were accepted, or for which another is sent; also those without a place. */
  confirm(tx: Db, endedMessages: readonly ReservationEnd[]): Promise<void>
  /** Messages with a place that were cancelled or refused. */
  release(tx: Db, endedMessages: readonly ReservationEnd[]): Promise<void>
}

/** Kinds by name. */
export type ReservationKinds = Readonly<Record<string, ReservationKind>>

/** Copies, proofs and messages that stand in for another hold no places. */
function canReserve({ kind }: Pick<ClaimedMessage, 'kind'>): boolean {
  return kind === 'message' || kind === 'campaign'
}

/** Locked reservations of the messages and slices that the batch still has. */
interface LockedReservations {
  rows: Map<number, Readonly<Record<string, string>>>
  slices: Map<number, SliceReservations>
}

async function lockReservations(
  tx: Db,
  batch: string,
  messages: readonly ClaimedMessage[],
): Promise<LockedReservations> {
  const slices = await lockSliceReservations(
    tx,
    batch,
    new Set(messages.flatMap(({ id }) => (isSliceMessageId(id) ? [getMessageSliceId(id)] : []))),
  )
  const rowIds = messages.flatMap(({ id }) => (slices.has(getMessageSliceId(id)) ? [] : [id]))
  const { rows } = await sql<{ id: number; reservations: Record<string, string> | null }>`
    select id, reservations from messages
    where id = any(${rowIds}::bigint[]) and claimed_by = ${batch}::uuid and state = 'claimed'
    order by id for update`.execute(tx)
  return { slices, rows: new Map(rows.map(({ id, reservations }) => [id, reservations ?? {}])) }
}

/** New results of a batch: decisions, and keys by message and kind. */
interface BatchDecisions {
  stopped: Map<number, Exclude<ReservationDecision, { type: 'reserved' }>>
  keys: Map<number, Record<string, string>>
}

function findHeldKeys({ slices, rows }: LockedReservations, { id }: ClaimedMessage): Readonly<Record<string, string>> {
  const slice = isSliceMessageId(id) ? slices.get(getMessageSliceId(id)) : undefined
  return (slice ? listPositionReservations(slice, getSlicePosition(id)) : rows.get(id)) ?? {}
}

/** Asks the kinds one after the other; what one stops the next is not asked of. */
async function decideByKind(
  tx: Db,
  kinds: ReservationKinds,
  { locked, list }: { locked: LockedReservations; list: readonly PreparedMessage[] },
): Promise<BatchDecisions> {
  const batchDecisions: BatchDecisions = { stopped: new Map(), keys: new Map() }
  for (const [kind, { decide }] of Object.entries(kinds)) {
    if (!decide) continue
    const candidates = list.flatMap((candidate): ReservationCandidate[] => {
      const { message } = candidate
      if (batchDecisions.stopped.has(message.id) || !canReserve(message)) return []
      const heldKey = findHeldKeys(locked, message)[kind] ?? null
      return [
        { ...candidate, held: heldKey, key: locked.slices.get(getMessageSliceId(message.id))?.[kind]?.key ?? null },
      ]
    })
    if (candidates.length === 0) continue
    for (const [id, decision] of await decide(tx, candidates)) {
      if (decision.type === 'reserved')
        batchDecisions.keys.set(id, { ...batchDecisions.keys.get(id), [kind]: decision.key })
      else batchDecisions.stopped.set(id, decision)
    }
  }
  return batchDecisions
}

/** Merges the reservations of a slice with those that its messages made now; the places of one kind have one key. */
function mergeSliceReservations(
  slice: SliceReservations,
  messageKeys: readonly [id: number, keys: Record<string, string>][],
): SliceReservations {
  const reservationsByKind = new Map(Object.entries(slice))
  for (const kind of new Set(messageKeys.flatMap(([, keys]) => Object.keys(keys)))) {
    const [firstEntry, ...otherEntries] = messageKeys.flatMap(([id, keys]) =>
      keys[kind] === undefined ? [] : [{ id, key: keys[kind] }],
    )
    if (!firstEntry) continue
    const key = reservationsByKind.get(kind)?.key ?? firstEntry.key
    if ([firstEntry, ...otherEntries].some((otherEntry) => otherEntry.key !== key))
      throw new Error(`a slice holds ${kind} under several keys`)
    const positions = [firstEntry, ...otherEntries].map(({ id }) => getSlicePosition(id))
    reservationsByKind.set(kind, { key, places: addReservedPositions(reservationsByKind.get(kind)?.places, positions) })
  }
  return Object.fromEntries(reservationsByKind)
}

/** Writes what was reserved now. */
async function writeReservations(tx: Db, { slices }: LockedReservations, keys: BatchDecisions['keys']): Promise<void> {
  const { sliced: sliceEntries = [], rows = [] } = Object.groupBy([...keys], ([id]) =>
    slices.has(getMessageSliceId(id)) ? 'sliced' : 'rows',
  )
  await sql`
    update messages m set reservations = coalesce(m.reservations, '{}') || g.more
    from unnest(${rows.map(([id]) => id)}::bigint[], ${rows.map(([, newKeys]) => toJsonbText(newKeys))}::jsonb[]) as g (id, more)
    where m.id = g.id`.execute(tx)
  const entriesBySlice = [...Map.groupBy(sliceEntries, ([id]) => getMessageSliceId(id))]
  await sql`
    update message_slices s set reservations = g.reservations
    from unnest(
      ${entriesBySlice.map(([slice]) => slice)}::bigint[],
      ${entriesBySlice.map(([slice, sliceMessages]) => toJsonbText(mergeSliceReservations(slices.get(slice) ?? {}, sliceMessages)))}::jsonb[]) as g (id, reservations)
    where s.id = g.id`.execute(tx)
}

/** Returns true if a kind may have to decide on these messages. */
async function hasConcernedKind(db: Db, kinds: ReservationKinds, list: readonly PreparedMessage[]): Promise<boolean> {
  const reservingMessages = list.filter(({ message }) => canReserve(message))
  if (reservingMessages.length === 0) return false
  for (const { decide, concerns } of Object.values(kinds))
    if (decide && (concerns === undefined || (await concerns(db, reservingMessages)))) return true
  return false
}

/** Decisions on a batch. `lost`: messages that the batch no longer has. */
export interface ReservationVerdicts {
  stopped: ReadonlyMap<number, Exclude<ReservationDecision, { type: 'reserved' }>>
  lost: ReadonlySet<number>
}

/**
 * Has the kinds decide on messages of a batch, and writes what they hold, in one transaction; the messages say it
 * afterwards. A slice that is claimed a second time holds what it held.
 */
export async function decideReservations(
  db: Db,
  batch: string,
  kinds: ReservationKinds,
  list: readonly PreparedMessage[],
): Promise<ReservationVerdicts> {
  if (!(await hasConcernedKind(db, kinds, list))) return { stopped: new Map(), lost: new Set() }
  const sortedMessages = list.toSorted((a, b) => Math.abs(a.message.id) - Math.abs(b.message.id))
  const { locked, decided } = await inRetriedTransaction(db, async (tx) => {
    const locked = await lockReservations(
      tx,
      batch,
      sortedMessages.map(({ message }) => message),
    )
    const lockedMessages = sortedMessages.filter(
      ({ message: { id } }) => locked.rows.has(id) || locked.slices.has(getMessageSliceId(id)),
    )
    const decided = await decideByKind(tx, kinds, { locked, list: lockedMessages })
    if (decided.keys.size > 0) await writeReservations(tx, locked, decided.keys)
    return { locked, decided }
  })
  const lost = new Set<number>()
  for (const { message } of list) {
    if (!locked.rows.has(message.id) && !locked.slices.has(getMessageSliceId(message.id))) lost.add(message.id)
    const newKeys = decided.keys.get(message.id)
    const heldKeys = findHeldKeys(locked, message)
    if (newKeys || Object.keys(heldKeys).length > 0) message.reservations = { ...heldKeys, ...newKeys }
  }
  return { stopped: decided.stopped, lost }
}

/** Informs the kinds of messages that have ended, in the transaction that records it. */
export async function finalizeReservations(
  tx: Db,
  kinds: ReservationKinds,
  {
    kept: confirmedEnds,
    given: releasedEnds,
  }: { kept: readonly Omit<ReservationEnd, 'key'>[]; given: readonly Omit<ReservationEnd, 'key'>[] },
): Promise<void> {
  for (const [kind, { confirm, release }] of Object.entries(kinds)) {
    const addKeys = (list: readonly Omit<ReservationEnd, 'key'>[]) =>
      list.flatMap(({ message, at }) =>
        canReserve(message) ? [{ message, at, key: message.reservations?.[kind] ?? null }] : [],
      )
    const confirmed = addKeys(confirmedEnds)
    const keyedReleases = addKeys(releasedEnds).filter(({ key }) => key !== null)
    if (confirmed.length > 0) await confirm(tx, confirmed)
    if (keyedReleases.length > 0) await release(tx, keyedReleases)
  }
}
