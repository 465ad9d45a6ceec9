import { sql } from 'kysely'
import { findActionFamily } from '../../channels/families.ts'
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

const MAX_MS = 92 * 24 * 3_600_000
/** Messages that a caller may wait for. */
const MAX_AT_ONCE = 200_000

/** A rule to try out, and on which time. JSON. */
interface Trial {
  rule: { label: string; predicate: PressurePredicate }
  start: number
  end: number
}

/** Reads what is to be tried out. Throws 400 with pointers, notFound for a topic. */
async function readTrial(db: Db, account: AccountId, { rule, start, end }: BacktestBody): Promise<Trial> {
  const predicate = parsePressurePredicate(rule.predicate, '/rule/predicate')
  const label = rule.label === undefined ? '' : parsePressureLabel(rule.label, '/rule/label')
  const [from, to] = [requireInstant(start, '/start').getTime(), requireInstant(end, '/end').getTime()]
  if (to < from) throw badRequestProblem('/end', 'is before start')
  if (to - from > MAX_MS) throw badRequestProblem('/end', 'must be at most 92 days after start')
  await requirePressureTopics(db, account, listPredicateTopics(predicate))
  return { rule: { label, predicate }, start: from, end: to }
}

/** What is the same of every message of a content. */
interface Version {
  id: number
  action: { id: number; name: string; type: string }
  owner: number
  owner_kind: SentSourceKind
  purpose: MessagePurpose
  pressure: Partial<MessagePressure> | null
}

/** A message of a version as it is replayed. */
interface Replayed extends Version {
  mp: MessagePressure
  topic: number
  channel: PressureChannel
}

interface Sent {
  contact: number
  version: number
  channel: PressureChannel
  /** Milliseconds. */
  at: number
  zone: string | null
}

/** The accepted messages of a time, without tests and copies, by contact and time. */
function sentOf(account: AccountId, { start, end }: Trial, timeZoneField: number | null) {
  const zone =
    timeZoneField === null
      ? sql`null`
      : sql`(select c.fields ->> ${String(timeZoneField)} from contacts c where c.account = s.account and c.id = s.contact)`
  return sql<Sent>`
    select s.contact, s.version, s.channel, (extract(epoch from s.ended_at) * 1000)::bigint as at, ${zone} as zone
    from sent_messages s
    where s.account = ${account} and s.contact is not null and s.outcome = 'accepted' and s.kind in ('message', 'campaign')
      and s.ended_at >= ${new Date(start)} and s.ended_at < ${new Date(end)}
    order by s.contact, s.ended_at, s.stamp`
}

/** The contents of those messages. */
async function versionsOf(
  db: Db,
  account: AccountId,
  known: AccountPressureRules,
): Promise<Map<number, Omit<Replayed, 'channel'>>> {
  const { rows: found } = await sql<Version>`
    select id, source -> 'action' as action, owner, owner_kind, source #>> '{settings,purpose}' as purpose,
      source #> '{settings,pressure}' as pressure
    from content_versions where account = ${account} and id in (
      select distinct version from sent_messages where account = ${account})`.execute(db)
  return new Map(
    found.map((version) => {
      const mp = resolveMessagePressure(version.pressure ?? {}, version.purpose)
      const topic = mp.topic === null ? 0 : (known.topics.get(mp.topic) ?? 0)
      return [version.id, { ...version, mp, topic }]
    }),
  )
}

interface Tally {
  messages: number
  stopped: number
}

function note<Key>(tallies: Map<Key, Tally>, key: Key, isStopped: boolean): void {
  const tally = tallies.get(key) ?? { messages: 0, stopped: 0 }
  tallies.set(key, { messages: tally.messages + 1, stopped: tally.stopped + Number(isStopped) })
}

/** What was counted of the contact whose turn it is. */
interface Turn {
  contact: number | null
  buckets: PressureBucket[]
  wasStopped: boolean
}

/** Replays one message; gives whether the rule would have stopped it. */
function replay(
  turn: Turn,
  rule: IndexedPressureRule,
  sent: Sent,
  { version, known }: { version: Omit<Replayed, 'channel'>; known: AccountPressureRules },
): boolean {
  const { mp, topic, purpose } = version
  const scope = { channel: sent.channel, purpose, topic }
  turn.buckets = turn.buckets.filter(({ at }) => at >= sent.at - PRESSURE_RETENTION_MS)
  if (mp.use) {
    const zone = resolveContactZone(known, known.timeZoneField === null ? {} : { [known.timeZoneField]: sent.zone })
    const question = {
      message: { ...scope, priority: mp.priority },
      counted: { buckets: turn.buckets, present: { now: sent.at, zone } },
    }
    if (findPressureStop([rule], question)) return true
  }
  if (mp.increment) countInPressureBuckets(turn.buckets, scope, sent.at)
  return false
}

function shown(
  actions: ReadonlyMap<string, Tally>,
  days: ReadonlyMap<string, Tally>,
  { versions, contacts }: { versions: ReadonlyMap<number, Omit<Replayed, 'channel'>>; contacts: number },
): BacktestResult {
  const byOwner = new Map([...versions.values()].map((version) => [`${version.owner_kind} ${version.owner}`, version]))
  const byAction = [...actions].map(([name, tally]) => {
    const { action, owner, owner_kind } = byOwner.get(name)!
    return { type: action.type, id: findActionFamily(owner_kind)?.showId(owner) ?? owner, name: action.name, ...tally }
  })
  const byDay = [...days].map(([date, tally]) => ({ date, ...tally })).sort((a, b) => a.date.localeCompare(b.date))
  const sum = (of: keyof Tally) => byDay.reduce((total, day) => total + day[of], 0)
  byAction.sort((a, b) => b.stopped - a.stopped || b.messages - a.messages)
  return { messages: sum('messages'), stopped: sum('stopped'), contacts, byAction, byDay }
}

/** Days of a zone by their quarters of an hour, of which each is wholly in one. */
function dayReader(zone: string): (at: number) => string {
  const days = new Map<number, string>()
  const QUARTER_MS = 900_000
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS)
    const known = days.get(quarter)
    if (known !== undefined) return known
    const local = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(zone)
    const day = local.toPlainDate().toString()
    days.set(quarter, day)
    return day
  }
}

/** What a rule would have stopped, had it been active with empty counters at the start. */
async function runTrial(db: Db, account: AccountId, trial: Trial): Promise<BacktestResult> {
  const known = (await loadPressureRules(db, [account])).get(account)!
  const versions = await versionsOf(db, account, known)
  const rule = indexPressureRule({ id: '', ...trial.rule }, known.topics)
  const [actions, days] = [new Map<string, Tally>(), new Map<string, Tally>()]
  const dayOf = dayReader(known.timeZone)
  let turn: Turn = { contact: null, buckets: [], wasStopped: false }
  let contacts = 0
  for await (const sent of streamRows(db, sentOf(account, trial, known.timeZoneField), { batch: 5000 })) {
    if (turn.contact !== sent.contact) turn = { contact: sent.contact, buckets: [], wasStopped: false }
    const version = versions.get(sent.version)
    if (!version) continue
    const isStopped = replay(turn, rule, sent, { version, known })
    if (isStopped && !turn.wasStopped) contacts++
    turn.wasStopped ||= isStopped
    note(actions, `${version.owner_kind} ${version.owner}`, isStopped)
    note(days, dayOf(sent.at), isStopped)
  }
  return shown(actions, days, { versions, contacts })
}

/** How many messages would be replayed, counted up to the most that a caller may wait for. */
async function isLong(db: Db, account: AccountId, trial: Trial): Promise<boolean> {
  const { rows: found } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from sent_messages where account = ${account} and ended_at >= ${new Date(trial.start)}
        and ended_at < ${new Date(trial.end)} limit ${MAX_AT_ONCE + 1}) s`.execute(db)
  return (found[0]?.n ?? 0) > MAX_AT_ONCE
}

/** Tries a rule out; undefined, with nothing done, when that takes long. Throws 400, notFound (topic). */
export async function backtestPressureRule(
  db: Db,
  account: AccountId,
  body: BacktestBody,
): Promise<BacktestResult | undefined> {
  const trial = await readTrial(db, account, body)
  return (await isLong(db, account, trial)) ? undefined : runTrial(db, account, trial)
}

/** The same as a job, whatever the size. Throws alike. */
export async function startBacktestJob(
  db: Db,
  account: AccountId,
  body: BacktestBody,
  now: number,
): Promise<JobResource> {
  return startJob(db, account, { type: 'pressure.backtest', payload: await readTrial(db, account, body) }, now)
}

/** The body of the jobs that long backtests become. */
export const backtestJobSteps: JobStepsByType = {
  'pressure.backtest': async (tx, { account, payload }) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return { result: await runTrial(tx, account, payload as Trial) }
  },
}
