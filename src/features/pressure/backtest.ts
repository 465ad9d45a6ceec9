import { sql } from 'kysely'
import { findActionFamily } from '../../channels/action-families.ts'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import type { SentSourceKind } from '../../lib/sources.ts'
import { requireInstant } from '../../lib/time/period.ts'
import type { JobResource } from '../jobs/job-schemas.ts'
import { startJob } from '../jobs/jobs.ts'
import type { JobStepsByType } from '../jobs/run.ts'
import { countInPressureBuckets, PRESSURE_RETENTION_MS, type PressureBucket } from './counters/buckets.ts'
import { resolveContactZone } from './counters/reservations.ts'
import { resolveMessagePressure } from './message-settings.ts'
import type {
  BacktestBody,
  BacktestResult,
  MessagePressure,
  MessagePurpose,
  PressureChannel,
  PressurePredicate,
} from './pressure-schemas.ts'
import { findPressureStop, type IndexedPressureRule } from './rules/decision.ts'
import { type AccountPressureRules, indexPressureRule, loadPressureRules } from './rules/known-rules.ts'
import { parsePressureLabel } from './rules/labels.ts'
import { listPredicateTopics, parsePressurePredicate } from './rules/rule-reading.ts'
import { requirePressureTopics } from './topics.ts'

const MAX_PERIOD_MS = 92 * 24 * 3_600_000
/** Messages that a caller may wait for. */
const MAX_SYNC_MESSAGES = 200_000

/** A rule to try out, and on which time. JSON. */
interface BacktestTrial {
  rule: { label: string; predicate: PressurePredicate }
  start: number
  end: number
}

/** Reads what is to be tried out. Throws 400 with pointers, notFound for a topic. */
async function parseTrial(db: Db, account: AccountId, { rule, start, end }: BacktestBody): Promise<BacktestTrial> {
  const predicate = parsePressurePredicate(rule.predicate, '/rule/predicate')
  const label = rule.label === undefined ? '' : parsePressureLabel(rule.label, '/rule/label')
  const [startMs, endMs] = [requireInstant(start, '/start').getTime(), requireInstant(end, '/end').getTime()]
  if (endMs < startMs) throw badRequestProblem('/end', 'must not be before start')
  if (endMs - startMs > MAX_PERIOD_MS) throw badRequestProblem('/end', 'must be at most 92 days after start')
  await requirePressureTopics(db, account, listPredicateTopics(predicate))
  return { rule: { label, predicate }, start: startMs, end: endMs }
}

/** The parts that all messages of a content share. */
interface ContentVersion {
  id: number
  action: { id: number; name: string; type: string }
  owner: number
  owner_kind: SentSourceKind
  purpose: MessagePurpose
  pressure: Partial<MessagePressure> | null
}

/** A message of a version as it is replayed. */
interface ReplayedVersion extends ContentVersion {
  mp: MessagePressure
  topic: number
  channel: PressureChannel
}

interface SentMessage {
  contact: number
  version: number
  channel: PressureChannel
  /** Milliseconds. */
  at: number
  zone: string | null
}

/** The accepted messages of a time, without tests and copies, by contact and time. */
function selectSentMessages(account: AccountId, { start, end }: BacktestTrial, timeZoneField: number | null) {
  const zone =
    timeZoneField === null
      ? sql`null`
      : sql`(select c.fields ->> ${String(timeZoneField)} from contacts c where c.account = s.account and c.id = s.contact)`
  return sql<SentMessage>`
    select s.contact, s.version, s.channel, (extract(epoch from s.ended_at) * 1000)::bigint as at, ${zone} as zone
    from sent_messages s
    where s.account = ${account} and s.contact is not null and s.outcome = 'accepted' and s.kind in ('message', 'campaign')
      and s.ended_at >= ${new Date(start)} and s.ended_at < ${new Date(end)}
    order by s.contact, s.ended_at, s.stamp`
}

/** The contents of those messages. */
async function loadVersions(
  db: Db,
  account: AccountId,
  pressureRules: AccountPressureRules,
): Promise<Map<number, Omit<ReplayedVersion, 'channel'>>> {
  const { rows: versionRows } = await sql<ContentVersion>`
    select id, source -> 'action' as action, owner, owner_kind, source #>> '{settings,purpose}' as purpose,
      source #> '{settings,pressure}' as pressure
    from content_versions where account = ${account} and id in (
      select distinct version from sent_messages where account = ${account})`.execute(db)
  return new Map(
    versionRows.map((version) => {
      const messagePressure = resolveMessagePressure(version.pressure ?? {}, version.purpose)
      const topic = messagePressure.topic === null ? 0 : (pressureRules.topics.get(messagePressure.topic) ?? 0)
      return [version.id, { ...version, mp: messagePressure, topic }]
    }),
  )
}

interface MessageTally {
  messages: number
  stopped: number
}

function addToTally<Key>(tallies: Map<Key, MessageTally>, key: Key, isStopped: boolean): void {
  const tally = tallies.get(key) ?? { messages: 0, stopped: 0 }
  tallies.set(key, { messages: tally.messages + 1, stopped: tally.stopped + Number(isStopped) })
}

/** Counters of the contact whose messages are being replayed. */
interface ContactTurn {
  contact: number | null
  buckets: PressureBucket[]
  wasStopped: boolean
}

/** Replays one message; gives whether the rule would have stopped it. */
function replayMessage(
  turn: ContactTurn,
  rule: IndexedPressureRule,
  sentMessage: SentMessage,
  { version, known: pressureRules }: { version: Omit<ReplayedVersion, 'channel'>; known: AccountPressureRules },
): boolean {
  const { mp: messagePressure, topic, purpose } = version
  const scope = { channel: sentMessage.channel, purpose, topic }
  turn.buckets = turn.buckets.filter(({ at }) => at >= sentMessage.at - PRESSURE_RETENTION_MS)
  if (messagePressure.use) {
    const zone = resolveContactZone(
      pressureRules,
      pressureRules.timeZoneField === null ? {} : { [pressureRules.timeZoneField]: sentMessage.zone },
    )
    const question = {
      message: { ...scope, priority: messagePressure.priority },
      counted: { buckets: turn.buckets, present: { now: sentMessage.at, zone } },
    }
    if (findPressureStop([rule], question)) return true
  }
  if (messagePressure.increment) countInPressureBuckets(turn.buckets, scope, sentMessage.at)
  return false
}

function toBacktestResult(
  actions: ReadonlyMap<string, MessageTally>,
  days: ReadonlyMap<string, MessageTally>,
  { versions, contacts }: { versions: ReadonlyMap<number, Omit<ReplayedVersion, 'channel'>>; contacts: number },
): BacktestResult {
  const byOwner = new Map([...versions.values()].map((version) => [`${version.owner_kind} ${version.owner}`, version]))
  const byAction = [...actions].map(([name, tally]) => {
    const { action, owner, owner_kind } = byOwner.get(name)!
    return { type: action.type, id: findActionFamily(owner_kind)?.showId(owner) ?? owner, name: action.name, ...tally }
  })
  const byDay = [...days].map(([date, tally]) => ({ date, ...tally })).sort((a, b) => a.date.localeCompare(b.date))
  const sumDays = (of: keyof MessageTally) => byDay.reduce((total, day) => total + day[of], 0)
  byAction.sort((a, b) => b.stopped - a.stopped || b.messages - a.messages)
  return { messages: sumDays('messages'), stopped: sumDays('stopped'), contacts, byAction, byDay }
}

/** Days of a zone by their quarters of an hour, of which each is wholly in one. */
function createDayReader(zone: string): (at: number) => string {
  const dayByQuarter = new Map<number, string>()
  const QUARTER_MS = 900_000
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS)
    const knownDay = dayByQuarter.get(quarter)
    if (knownDay !== undefined) return knownDay
    const localTime = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(zone)
    const day = localTime.toPlainDate().toString()
    dayByQuarter.set(quarter, day)
    return day
  }
}

/** Finds the messages a rule would have stopped, had it been active with empty counters at the start. */
async function replayTrial(db: Db, account: AccountId, trial: BacktestTrial): Promise<BacktestResult> {
  const pressureRules = (await loadPressureRules(db, [account])).get(account)!
  const versions = await loadVersions(db, account, pressureRules)
  const rule = indexPressureRule({ id: '', ...trial.rule }, pressureRules.topics)
  const [talliesByAction, talliesByDay] = [new Map<string, MessageTally>(), new Map<string, MessageTally>()]
  const readDay = createDayReader(pressureRules.timeZone)
  let contactTurn: ContactTurn = { contact: null, buckets: [], wasStopped: false }
  let contactCount = 0
  for await (const sentMessage of streamRows(db, selectSentMessages(account, trial, pressureRules.timeZoneField), {
    batch: 5000,
  })) {
    if (contactTurn.contact !== sentMessage.contact)
      contactTurn = { contact: sentMessage.contact, buckets: [], wasStopped: false }
    const version = versions.get(sentMessage.version)
    if (!version) continue
    const isStopped = replayMessage(contactTurn, rule, sentMessage, { version, known: pressureRules })
    if (isStopped && !contactTurn.wasStopped) contactCount++
    contactTurn.wasStopped ||= isStopped
    addToTally(talliesByAction, `${version.owner_kind} ${version.owner}`, isStopped)
    addToTally(talliesByDay, readDay(sentMessage.at), isStopped)
  }
  return toBacktestResult(talliesByAction, talliesByDay, { versions, contacts: contactCount })
}

/** True if more messages would be replayed than a caller may wait for. The count ends at that limit. */
async function isTrialLong(db: Db, account: AccountId, trial: BacktestTrial): Promise<boolean> {
  const { rows: countRows } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from sent_messages where account = ${account} and ended_at >= ${new Date(trial.start)}
        and ended_at < ${new Date(trial.end)} limit ${MAX_SYNC_MESSAGES + 1}) s`.execute(db)
  return (countRows[0]?.n ?? 0) > MAX_SYNC_MESSAGES
}

/** Tries a rule out; undefined, with nothing done, when that takes long. Throws 400, notFound (topic). */
export async function backtestPressureRule(
  db: Db,
  account: AccountId,
  body: BacktestBody,
): Promise<BacktestResult | undefined> {
  const trial = await parseTrial(db, account, body)
  return (await isTrialLong(db, account, trial)) ? undefined : replayTrial(db, account, trial)
}

/** The same as a job, whatever the size. Throws alike. */
export async function startBacktestJob(
  db: Db,
  account: AccountId,
  body: BacktestBody,
  now: number,
): Promise<JobResource> {
  return startJob(db, account, { type: 'pressure.backtest', payload: await parseTrial(db, account, body) }, now)
}

/** The body of the jobs that long backtests become. */
export const backtestJobSteps: JobStepsByType = {
  'pressure.backtest': async (tx, { account, payload }) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return { result: await replayTrial(tx, account, payload as BacktestTrial) }
  },
}
