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

/** What becomes of a message: it passes and holds a place under a key, is cancelled, or waits (until milliseconds). */
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
  /** Whether there may be something to decide of a batch: else nothing of it is locked. Absent: there always may. */
  concerns?(db: Db, list: readonly PreparedMessage[]): Promise<boolean>
  /**
   * Decides on messages of a batch, in the order of planning, after all other exclusions; one that has no decision passes
   * and holds what it held. It counts what it reserves.
   */
  decide?(tx: Db, candidates: readonly ReservationCandidate[]): Promise<ReadonlyMap<number, ReservationDecision>>
  /** Messages that were accepted, or for which another is sent; also those without a place. */
  confirm(tx: Db, ended: readonly ReservationEnd[]): Promise<void>
  /** Messages with a place that were cancelled or refused. */
  release(tx: Db, ended: readonly ReservationEnd[]): Promise<void>
}

/** Kinds by name. */
export type ReservationKinds = Readonly<Record<string, ReservationKind>>

/** Copies, proofs and messages that stand in for another hold no places. */
function mayReserve({ kind }: Pick<ClaimedMessage, 'kind'>): boolean {
  return kind === 'message' || kind === 'campaign'
}

/** What messages and slices hold, locked: those that the batch still has. */
interface Locked {
  rows: Map<number, Readonly<Record<string, string>>>
  slices: Map<number, SliceReservations>
}

async function lock(tx: Db, batch: string, messages: readonly ClaimedMessage[]): Promise<Locked> {
  const slices = await lockSliceReservations(
    tx,
    batch,
    new Set(messages.flatMap(({ id }) => (isSliceMessageId(id) ? [getMessageSliceId(id)] : []))),
  )
  const ids = messages.flatMap(({ id }) => (slices.has(getMessageSliceId(id)) ? [] : [id]))
  const { rows } = await sql<{ id: number; reservations: Record<string, string> | null }>`
    select id, reservations from messages
    where id = any(${ids}::bigint[]) and claimed_by = ${batch}::uuid and state = 'claimed'
    order by id for update`.execute(tx)
  return { slices, rows: new Map(rows.map(({ id, reservations }) => [id, reservations ?? {}])) }
}

/** What is new of a batch: decisions, and keys by message and kind. */
interface Decided {
  stopped: Map<number, Exclude<ReservationDecision, { type: 'reserved' }>>
  keys: Map<number, Record<string, string>>
}

function heldBy({ slices, rows }: Locked, { id }: ClaimedMessage): Readonly<Record<string, string>> {
  const slice = isSliceMessageId(id) ? slices.get(getMessageSliceId(id)) : undefined
  return (slice ? listPositionReservations(slice, getSlicePosition(id)) : rows.get(id)) ?? {}
}

/** Asks the kinds one after the other; what one stops the next is not asked of. */
async function decideOn(
  tx: Db,
  kinds: ReservationKinds,
  { locked, list }: { locked: Locked; list: readonly PreparedMessage[] },
): Promise<Decided> {
  const decided: Decided = { stopped: new Map(), keys: new Map() }
  for (const [kind, { decide }] of Object.entries(kinds)) {
    if (!decide) continue
    const candidates = list.flatMap((one): ReservationCandidate[] => {
      const { message } = one
      if (decided.stopped.has(message.id) || !mayReserve(message)) return []
      const held = heldBy(locked, message)[kind] ?? null
      return [{ ...one, held, key: locked.slices.get(getMessageSliceId(message.id))?.[kind]?.key ?? null }]
    })
    if (candidates.length === 0) continue
    for (const [id, decision] of await decide(tx, candidates)) {
      if (decision.type === 'reserved') decided.keys.set(id, { ...decided.keys.get(id), [kind]: decision.key })
      else decided.stopped.set(id, decision)
    }
  }
  return decided
}

/** What a slice holds with what its messages reserved now; the places of one kind have one key. */
function withPlaces(
  slice: SliceReservations,
  own: readonly [id: number, keys: Record<string, string>][],
): SliceReservations {
  const whole = new Map(Object.entries(slice))
  for (const kind of new Set(own.flatMap(([, keys]) => Object.keys(keys)))) {
    const [first, ...others] = own.flatMap(([id, keys]) => (keys[kind] === undefined ? [] : [{ id, key: keys[kind] }]))
    if (!first) continue
    const key = whole.get(kind)?.key ?? first.key
    if ([first, ...others].some((one) => one.key !== key)) throw new Error(`a slice holds ${kind} under several keys`)
    const places = [first, ...others].map(({ id }) => getSlicePosition(id))
    whole.set(kind, { key, places: addReservedPositions(whole.get(kind)?.places, places) })
  }
  return Object.fromEntries(whole)
}

/** Writes what was reserved now. */
async function write(tx: Db, { slices }: Locked, keys: Decided['keys']): Promise<void> {
  const { sliced = [], rows = [] } = Object.groupBy([...keys], ([id]) =>
    slices.has(getMessageSliceId(id)) ? 'sliced' : 'rows',
  )
  await sql`
    update messages m set reservations = coalesce(m.reservations, '{}') || g.more
    from unnest(${rows.map(([id]) => id)}::bigint[], ${rows.map(([, more]) => toJsonbText(more))}::jsonb[]) as g (id, more)
    where m.id = g.id`.execute(tx)
  const whole = [...Map.groupBy(sliced, ([id]) => getMessageSliceId(id))]
  await sql`
    update message_slices s set reservations = g.reservations
    from unnest(
      ${whole.map(([slice]) => slice)}::bigint[],
      ${whole.map(([slice, own]) => toJsonbText(withPlaces(slices.get(slice) ?? {}, own)))}::jsonb[]) as g (id, reservations)
    where s.id = g.id`.execute(tx)
}

/** Whether a kind may have something to decide of these messages. */
async function concernsAny(db: Db, kinds: ReservationKinds, list: readonly PreparedMessage[]): Promise<boolean> {
  const own = list.filter(({ message }) => mayReserve(message))
  if (own.length === 0) return false
  for (const { decide, concerns } of Object.values(kinds))
    if (decide && (concerns === undefined || (await concerns(db, own)))) return true
  return false
}

/** What was decided of a batch. `lost`: messages that it no longer has. */
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
  if (!(await concernsAny(db, kinds, list))) return { stopped: new Map(), lost: new Set() }
  const inOrder = list.toSorted((a, b) => Math.abs(a.message.id) - Math.abs(b.message.id))
  const { locked, decided } = await inRetriedTransaction(db, async (tx) => {
    const locked = await lock(
      tx,
      batch,
      inOrder.map(({ message }) => message),
    )
    const present = inOrder.filter(
      ({ message: { id } }) => locked.rows.has(id) || locked.slices.has(getMessageSliceId(id)),
    )
    const decided = await decideOn(tx, kinds, { locked, list: present })
    if (decided.keys.size > 0) await write(tx, locked, decided.keys)
    return { locked, decided }
  })
  const lost = new Set<number>()
  for (const { message } of list) {
    if (!locked.rows.has(message.id) && !locked.slices.has(getMessageSliceId(message.id))) lost.add(message.id)
    const more = decided.keys.get(message.id)
    const held = heldBy(locked, message)
    if (more || Object.keys(held).length > 0) message.reservations = { ...held, ...more }
  }
  return { stopped: decided.stopped, lost }
}

/** Informs the kinds of messages that have ended, in the transaction that records it. */
export async function finalizeReservations(
  tx: Db,
  kinds: ReservationKinds,
  { kept, given }: { kept: readonly Omit<ReservationEnd, 'key'>[]; given: readonly Omit<ReservationEnd, 'key'>[] },
): Promise<void> {
  for (const [kind, { confirm, release }] of Object.entries(kinds)) {
    const keyed = (list: readonly Omit<ReservationEnd, 'key'>[]) =>
      list.flatMap(({ message, at }) =>
        mayReserve(message) ? [{ message, at, key: message.reservations?.[kind] ?? null }] : [],
      )
    const confirmed = keyed(kept)
    const released = keyed(given).filter(({ key }) => key !== null)
    if (confirmed.length > 0) await confirm(tx, confirmed)
    if (released.length > 0) await release(tx, released)
  }
}
