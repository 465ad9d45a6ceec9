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
  /** Key of the bucket it is already counted in; null: none. */
  held: number | null
  /** Key of the bucket it must be counted in; null: the current one. */
  key: number | null
}

/** The limit and rule that delay a message, and the end of the delay (milliseconds). */
export interface PressurePostponement {
  rule: string
  expression: number
  until: number
}

/** Decision on a message: it is counted, cancelled or waits. */
export type PressureDecision =
  | { type: 'reserved'; key: number }
  | { type: 'cancelled'; cancellation: SendCancellation }
  | { type: 'postponed'; postponement: PressurePostponement; reply: string }

type RulesByAccount = ReadonlyMap<AccountId, AccountPressureRules>

/** The scope that a message is counted under. */
function buildScope({ channel, purpose, pressure }: PressureMessage, rules: AccountPressureRules): PressureScope {
  return { channel, purpose, topic: pressure.topic === null ? 0 : (rules.topics.get(pressure.topic) ?? 0) }
}

/** True if an active rule may stop a message, or count it, at its first claim. */
function isRuleRelevant(message: PressureMessage, rulesByAccount: RulesByAccount): boolean {
  const rules = rulesByAccount.get(message.account)
  if (!rules || message.attempts > 0 || !(message.pressure.use || message.pressure.increment)) return false
  const scope = buildScope(message, rules)
  return rules.rules.some((rule) => canRuleConcern(rule, scope))
}

/** True if any of these messages needs a decision. */
export function needsPressureDecision(messages: readonly PressureMessage[], rulesByAccount: RulesByAccount): boolean {
  return messages.some((message) => isRuleRelevant(message, rulesByAccount))
}

/** The zone of a contact: what its field says, or that of the account. */
export function resolveContactZone(
  { timeZoneField, timeZone }: Pick<AccountPressureRules, 'timeZone' | 'timeZoneField'>,
  fields: Readonly<Record<string, unknown>>,
): string {
  if (timeZoneField === null) return timeZone
  return parsePressureZone(String(fields[String(timeZoneField)] ?? '').trim()) ?? timeZone
}

/** Decides the outcome of a message that was stopped. */
function decideStopped(message: PressureMessage, stop: PressureStop): PressureDecision {
  const { pressure, now, firstPostponedAt, endsAt } = message
  const waitLimit = Math.min((firstPostponedAt ?? now) + pressure.postponeHours * HOUR_MS, endsAt)
  const stopEnd = stop.waitUntil
  const value = formatPressureStop(stop, pressure.topic)
  if (pressure.onLimit === 'cancel' || stopEnd === null || stopEnd > waitLimit)
    return { type: 'cancelled', cancellation: { type: 'marketing pressure', value } }
  const postponement = { rule: stop.rule.id, expression: stop.expression, until: stopEnd }
  return { type: 'postponed', postponement, reply: value.message }
}

/** The counters of a batch: buckets by contact, and those that were changed. */
interface BatchCounters {
  buckets: Map<string, { account: AccountId; contact: number; buckets: PressureBucket[] }>
  changed: Set<string>
  moments: PressurePeriodCache
}

function buildContactKey({ account, contact }: { account: AccountId; contact: number }): string {
  return `${account} ${contact}`
}

function decideMessage(
  message: PressureMessage,
  rules: AccountPressureRules,
  counting: BatchCounters,
): PressureDecision | undefined {
  const counters = counting.buckets.get(buildContactKey(message))
  // A contact that was deleted a moment ago: its message is excluded as its next claim finds it gone.
  if (!counters) return undefined
  const { now, pressure, held: reservedKey } = message
  const scope = buildScope(message, rules)
  if (pressure.use) {
    const zonedMoment = { now, zone: resolveContactZone(rules, message.fields) }
    const checkMessage = { ...scope, priority: pressure.priority }
    const contactCounts = { buckets: counters.buckets, present: zonedMoment }
    const pressureStop = findPressureStop(
      rules.rules,
      { message: checkMessage, counted: contactCounts, isReserved: reservedKey !== null },
      counting.moments,
    )
    if (pressureStop) return decideStopped(message, pressureStop)
  }
  if (!pressure.increment || reservedKey !== null) return undefined
  const key = message.key ?? pressureBucketKey(scope, now)
  countInPressureBuckets(counters.buckets, scope, quarterStartMs(key))
  counting.changed.add(buildContactKey(message))
  return { type: 'reserved', key }
}

/** Start of the quarter of an hour of a key, in milliseconds. */
function quarterStartMs(key: number): number {
  return unpackPressureBuckets([key * 2 ** 14])[0]!.at
}

/**
 * Decides on messages of a batch, one after the other, and counts those that pass, in two statements: one that locks the
 * counters of their contacts, one that writes them. Messages that no rule concerns have no decision.
 */
export async function decidePressure(
  tx: Db,
  messages: readonly PressureMessage[],
  rulesByAccount: RulesByAccount,
): Promise<Map<number, PressureDecision>> {
  const decisions = new Map<number, PressureDecision>()
  const concerned = messages.filter((message) => isRuleRelevant(message, rulesByAccount))
  if (concerned.length === 0) return decisions
  const lockedCounters = await lockPressureCounters(tx, concerned)
  const batchCounters: BatchCounters = {
    buckets: new Map(
      lockedCounters.map((row) => [buildContactKey(row), { ...row, buckets: unpackPressureBuckets(row.buckets) }]),
    ),
    changed: new Set(),
    moments: new Map(),
  }
  for (const message of concerned) {
    const decision = decideMessage(message, rulesByAccount.get(message.account)!, batchCounters)
    if (decision) decisions.set(message.id, decision)
  }
  const oldestKey = oldestPressureBucketKey(Math.min(...concerned.map(({ now }) => now)))
  const changedBuckets = [...batchCounters.changed].map((name) => batchCounters.buckets.get(name)!)
  await writePressureCounters(
    tx,
    changedBuckets.map(({ account, contact, buckets }) => ({
      account,
      contact,
      buckets: packPressureBuckets(buckets, oldestKey),
    })),
  )
  return decisions
}
