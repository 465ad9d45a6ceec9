import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { HOUR_MS } from '../../../lib/time/spans.ts'
import type { SendCancellation } from '../../events/record/record.ts'
import type { MessagePressure, MessagePurpose, PressureChannel } from '../pressure-schemas.ts'
import { canRuleConcern, findPressureStop, type PressurePeriodCache, type PressureStop } from '../rules/decision.ts'
import type { AccountPressureRules } from '../rules/known-rules.ts'
import { formatPressureStop } from '../stop-value.ts'
import {
  countInPressureBuckets,
  oldestPressureBucketKey,
  type PressureBucket,
  type PressureScope,
  packPressureBuckets,
  pressureBucketKey,
  unpackPressureBuckets,
} from './buckets.ts'
import { lockPressureCounters, writePressureCounters } from './counters.ts'
import { parsePressureZone } from './periods.ts'

/** A message as pressure decides on it. */
export interface PressureMessage {
  id: number
  account: AccountId
  contact: number
  channel: PressureChannel
  purpose: MessagePurpose
  pressure: MessagePressure
  /** Tries before this one. */
  attempts: number
  /** The values of fields of its contact, by field. */
  fields: Readonly<Record<string, unknown>>
  /** Milliseconds; `endsAt`: when it expires or its campaign ends. */
  now: number
  endsAt: number
  firstPostponedAt: number | null
  /** Where it is counted already; null: nowhere. */
  held: number | null
  /** Where it must be counted if it is; null: in the present. */
  key: number | null
}

/** Which limit of which rule lets a message wait, and until when (milliseconds). */
export interface PressurePostponement {
  rule: string
  expression: number
  until: number
}

/** What becomes of a message: it is counted, cancelled or waits. */
export type PressureDecision =
  | { type: 'reserved'; key: number }
  | { type: 'cancelled'; cancellation: SendCancellation }
  | { type: 'postponed'; postponement: PressurePostponement; reply: string }

type Rules = ReadonlyMap<AccountId, AccountPressureRules>

/** What a message is counted under. */
function scopeOf({ channel, purpose, pressure }: PressureMessage, rules: AccountPressureRules): PressureScope {
  return { channel, purpose, topic: pressure.topic === null ? 0 : (rules.topics.get(pressure.topic) ?? 0) }
}

/** Whether an active rule may stop a message, or count it, at its first claim. */
function isConcerned(message: PressureMessage, known: Rules): boolean {
  const rules = known.get(message.account)
  if (!rules || message.attempts > 0 || !(message.pressure.use || message.pressure.increment)) return false
  const scope = scopeOf(message, rules)
  return rules.rules.some((rule) => canRuleConcern(rule, scope))
}

/** Whether something is to be decided of these messages. */
export function needsPressureDecision(messages: readonly PressureMessage[], known: Rules): boolean {
  return messages.some((message) => isConcerned(message, known))
}

/** The zone of a contact: what its field says, or that of the account. */
export function resolveContactZone(
  { timeZoneField, timeZone }: Pick<AccountPressureRules, 'timeZone' | 'timeZoneField'>,
  fields: Readonly<Record<string, unknown>>,
): string {
  if (timeZoneField === null) return timeZone
  return parsePressureZone(String(fields[String(timeZoneField)] ?? '').trim()) ?? timeZone
}

/** What becomes of a message that was stopped. */
function consequence(message: PressureMessage, stop: PressureStop): PressureDecision {
  const { pressure, now, firstPostponedAt, endsAt } = message
  const last = Math.min((firstPostponedAt ?? now) + pressure.postponeHours * HOUR_MS, endsAt)
  const until = stop.waitUntil
  const value = formatPressureStop(stop, pressure.topic)
  if (pressure.onLimit === 'cancel' || until === null || until > last)
    return { type: 'cancelled', cancellation: { type: 'marketing pressure', value } }
  const postponement = { rule: stop.rule.id, expression: stop.expression, until }
  return { type: 'postponed', postponement, reply: value.message }
}

/** The counters of a batch: buckets by contact, and those that were changed. */
interface Counting {
  buckets: Map<string, { account: AccountId; contact: number; buckets: PressureBucket[] }>
  changed: Set<string>
  moments: PressurePeriodCache
}

function nameOf({ account, contact }: { account: AccountId; contact: number }): string {
  return `${account} ${contact}`
}

function decideOne(
  message: PressureMessage,
  rules: AccountPressureRules,
  counting: Counting,
): PressureDecision | undefined {
  const counters = counting.buckets.get(nameOf(message))
  // A contact that was deleted a moment ago: its message is excluded as its next claim finds it gone.
  if (!counters) return undefined
  const { now, pressure, held } = message
  const scope = scopeOf(message, rules)
  if (pressure.use) {
    const present = { now, zone: resolveContactZone(rules, message.fields) }
    const asked = { ...scope, priority: pressure.priority }
    const counted = { buckets: counters.buckets, present }
    const stop = findPressureStop(rules.rules, { message: asked, counted, isReserved: held !== null }, counting.moments)
    if (stop) return consequence(message, stop)
  }
  if (!pressure.increment || held !== null) return undefined
  const key = message.key ?? pressureBucketKey(scope, now)
  countInPressureBuckets(counters.buckets, scope, quarterOf(key))
  counting.changed.add(nameOf(message))
  return { type: 'reserved', key }
}

/** When the quarter of an hour of a key begins, in milliseconds. */
function quarterOf(key: number): number {
  return unpackPressureBuckets([key * 2 ** 14])[0]!.at
}

/**
 * Decides on messages of a batch, one after the other, and counts those that pass, in two statements: one that locks the
 * counters of their contacts, one that writes them. Messages that no rule concerns have no decision.
 */
export async function decidePressure(
  tx: Db,
  messages: readonly PressureMessage[],
  known: Rules,
): Promise<Map<number, PressureDecision>> {
  const decisions = new Map<number, PressureDecision>()
  const concerned = messages.filter((message) => isConcerned(message, known))
  if (concerned.length === 0) return decisions
  const locked = await lockPressureCounters(tx, concerned)
  const counting: Counting = {
    buckets: new Map(locked.map((row) => [nameOf(row), { ...row, buckets: unpackPressureBuckets(row.buckets) }])),
    changed: new Set(),
    moments: new Map(),
  }
  for (const message of concerned) {
    const decision = decideOne(message, known.get(message.account)!, counting)
    if (decision) decisions.set(message.id, decision)
  }
  const oldest = oldestPressureBucketKey(Math.min(...concerned.map(({ now }) => now)))
  const changed = [...counting.changed].map((name) => counting.buckets.get(name)!)
  await writePressureCounters(
    tx,
    changed.map(({ account, contact, buckets }) => ({
      account,
      contact,
      buckets: packPressureBuckets(buckets, oldest),
    })),
  )
  return decisions
}
