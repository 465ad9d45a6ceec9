import { type RawBuilder, sql } from 'kysely'
import type { NewFollowup } from '../../channels/channel.ts'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/*
 * What may follow the end of a message, such as a fallback: a row made in the transaction that records the end. It goes from
 * one state to the next in one statement, so that of several who would take a step one does.
 */

/** Names a follow-up. */
export interface FollowupKey {
  account: AccountId
  /** Id of the message's stamp. */
  stamp: string
  kind: string
}

export interface Followup extends FollowupKey {
  state: string
  due: Date
  payload: unknown
}

/**
 * Does what is due of one kind. Whatever it does not move or close is due again when its lease ends, so it takes each step
 * by `moveFollowups`, in the transaction of its effects.
 */
export type FollowupHandler = (db: Db, dueFollowups: readonly Followup[]) => Promise<void>

/** Handlers of followups, by kind. */
export type FollowupHandlers = Readonly<Record<string, FollowupHandler>>

const FOLLOWUP_LEASE_MS = 60_000
const FOLLOWUP_BATCH_SIZE = 200

/** Writes follow-ups in the caller's transaction; a message has one of a kind at most. */
export async function storeFollowups(
  tx: Db,
  newFollowups: readonly (Omit<FollowupKey, 'kind'> & NewFollowup)[],
): Promise<void> {
  if (newFollowups.length === 0) return
  await sql`
    insert into followups (account, stamp, kind, due, state, payload)
    select * from unnest(
      ${newFollowups.map(({ account }) => account)}::integer[], ${newFollowups.map(({ stamp }) => stamp)}::uuid[],
      ${newFollowups.map(({ kind }) => kind)}::text[], ${newFollowups.map(({ due: dueTime }) => (dueTime === null ? null : new Date(dueTime)))}::timestamptz[],
      ${newFollowups.map(({ state = 'pending' }) => state)}::text[], ${newFollowups.map(({ payload }) => toJsonbText(payload))}::jsonb[])
    on conflict do nothing`.execute(tx)
}

/** A step: from one state to another; `due` (milliseconds) null: nothing more is to be done. */
export interface FollowupMove extends FollowupKey {
  from: readonly string[]
  to: string
  due: number | null
}

/** Takes steps, at most once each; gives the stamps of those that were in a state to take them. */
export async function moveFollowups(tx: Db, moves: readonly FollowupMove[]): Promise<Set<string>> {
  if (moves.length === 0) return new Set()
  const { rows } = await sql<{ stamp: string }>`
    with given as (
      select * from unnest(
        ${moves.map(({ account }) => account)}::integer[], ${moves.map(({ stamp }) => stamp)}::uuid[],
        ${moves.map(({ kind }) => kind)}::text[], ${moves.map(({ from }) => toJsonbText(from))}::jsonb[],
        ${moves.map(({ to }) => to)}::text[],
        ${moves.map(({ due: dueTime }) => (dueTime === null ? null : new Date(dueTime)))}::timestamptz[]) as g (account, stamp, kind, before, after, due)
    ), mine as (
      select f.account, f.stamp, f.kind, g.before, g.after, g.due as next
      from followups f join given g using (account, stamp, kind)
      order by f.account, f.stamp, f.kind for update of f
    )
    update followups f set state = m.after, due = m.next, lease_until = null
    from mine m
    where f.account = m.account and f.stamp = m.stamp and f.kind = m.kind and m.before ? f.state
    returning f.stamp`.execute(tx)
  return new Set(rows.map(({ stamp }) => stamp))
}

const buildDueCondition = (kinds: readonly string[], now: Date) => sql`
  due <= ${now} and kind = any(${kinds}::text[]) and coalesce(lease_until < ${now}, true)`

/** Condition: something is due that these do. */
export function hasDueFollowups(handlers: FollowupHandlers, now: Date): RawBuilder<unknown> {
  return sql`exists (select from followups where ${buildDueCondition(Object.keys(handlers), now)})`
}

/** Has what is due done, up to 200 at a time; gives how many there were. `now` in milliseconds. */
export async function runDueFollowups(db: Db, handlers: FollowupHandlers, now: number): Promise<number> {
  const handledKinds = Object.keys(handlers)
  if (handledKinds.length === 0) return 0
  const { rows } = await sql<Followup>`
    with due as (
      select account, stamp, kind from followups where ${buildDueCondition(handledKinds, new Date(now))}
      order by due limit ${FOLLOWUP_BATCH_SIZE} for no key update skip locked
    )
    update followups f set lease_until = ${new Date(now + FOLLOWUP_LEASE_MS)} from due d
    where f.account = d.account and f.stamp = d.stamp and f.kind = d.kind
    returning f.account, f.stamp, f.kind, f.state, f.due, f.payload`.execute(db)
  for (const [kind, dueFollowups] of Map.groupBy(rows, (row) => row.kind)) await handlers[kind]?.(db, dueFollowups)
  return rows.length
}

/** Makes due what was due when it was made, and does not wait for a moment of its own. */
export async function makeFollowupsDue(db: Db, now: number): Promise<void> {
  await sql`
    update followups set due = ${new Date(now)}
    where due > ${new Date(now)} and due <= created_at + interval '1 second'`.execute(db)
}

/** Ends leases that last longer than any does. */
export async function endLateFollowupLeases(db: Db, now: number): Promise<void> {
  await sql`
    update followups set lease_until = null
    where due is not null and lease_until > ${new Date(now + FOLLOWUP_LEASE_MS)}`.execute(db)
}
