import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { isStatementTimeout } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem, overloadedProblem } from '../../lib/errors/problem.ts'
import { formatContactId, parseContactId } from '../../lib/ids.ts'
import { countWithinTimeout } from '../segments/search/totals.ts'
import { PRESSURE_BUCKET_MS, unpackPressureBuckets } from './counters/buckets.ts'
import { maxPeriodLengthMs, pressurePeriodStart, pressureWindowEnd, type ZonedMoment } from './counters/periods.ts'
import { resolveContactZone } from './counters/reservations.ts'
import {
  type ContactsAtLimit,
  type ContactsAtLimitQuery,
  messagePurposes,
  type PressureLimit,
  pressureChannels,
} from './pressure-schemas.ts'
import {
  findPressureStop,
  type IndexedPressureLimit,
  type IndexedPressureRule,
  isScopeCovered,
  type PressureCheckMessage,
  type PressurePeriodCache,
} from './rules/decision.ts'
import { type AccountPressureRules, loadPressureRules } from './rules/known-rules.ts'

type Sql = RawBuilder<unknown>

const DEFAULT_LIMIT = 50
/** A page that takes longer is not worth waiting for. */
const PAGE_TIMEOUT_MS = 10_000
const COUNT_TIMEOUT_MS = 3000
/** Share of the counters, in percent, that stands for all where counting takes too long. */
const SAMPLE_PERCENT = 2
/** Candidates that are read at once. */
const CANDIDATE_BATCH_SIZE = 1000
/** From a month of 30 days to the longest, and the hours by which zones and their clocks differ. */
const MAX_MONTH_FACTOR = 31 / 30
const MAX_ZONE_SPREAD_MS = 27 * 3_600_000

/** A query of counters at a moment. */
interface CounterQuery {
  account: AccountId
  known: AccountPressureRules
  /** Those that do not stop everybody. */
  rules: readonly IndexedPressureRule[]
  message: PressureCheckMessage
  present: ZonedMoment
}

const dependsOnZone = ({ period, window }: PressureLimit): boolean => period.type === 'calendar' || window !== null

/** True if the statement alone decides: the zone of a contact makes no difference. */
function isExactInSql({ known: pressureRules, rules, message }: CounterQuery): boolean {
  if (pressureRules.timeZoneField === null) return true
  return !rules.some(({ limits }) =>
    limits.some((counterLimit) => isScopeCovered(counterLimit, message) && dependsOnZone(counterLimit.limit)),
  )
}

/** The first moment that counts: for a contact of any zone the earliest it can be. */
function findEarliestStart({ period }: PressureLimit, { known: pressureRules, present }: CounterQuery): number {
  if (period.type === 'calendar' && pressureRules.timeZoneField !== null)
    return present.now - maxPeriodLengthMs(period) * MAX_MONTH_FACTOR - MAX_ZONE_SPREAD_MS
  return pressurePeriodStart(period, present)
}

function isWindowOpen({ window }: PressureLimit, { known: pressureRules, present }: CounterQuery): boolean {
  return window === null || pressureRules.timeZoneField !== null || pressureWindowEnd(window, present) !== undefined
}

/** Condition by the bits of a bucket: true if a limit counts it. */
function countsBucketSql({ limit, topics }: IndexedPressureLimit, counterQuery: CounterQuery): Sql {
  const among = (bits: Sql, listedValues: readonly string[], chosenValues: readonly string[]): Sql =>
    chosenValues.length === 0
      ? sql`true`
      : sql`${bits} = any(${chosenValues.map((listedValue) => listedValues.indexOf(listedValue))}::bigint[])`
  return sql.join(
    [
      sql`b >> 30 >= ${Math.floor(findEarliestStart(limit, counterQuery) / PRESSURE_BUCKET_MS)}::bigint`,
      among(sql`(b >> 28 & 3)`, pressureChannels, limit.channels),
      among(sql`(b >> 27 & 1)`, messagePurposes, limit.purposes),
      limit.topics.length === 0 ? sql`true` : sql`(b >> 14 & 8191) = any(${[...topics]}::bigint[])`,
    ],
    sql` and `,
  )
}

const resolveMaxCount = ({ count, reserve, reservePriority }: PressureLimit, { message }: CounterQuery): number =>
  message.priority >= reservePriority ? count : count - reserve

const ALL_COUNTERS = sql`pressure_counters p`

/** The rows of counters that rules stop, or may: `p`, each limit summed up once; of all of them or of a sample. */
function selectCandidates(counterQuery: CounterQuery, table = ALL_COUNTERS): Sql {
  const sums: Sql[] = []
  const starts: number[] = []
  const failingConditions = counterQuery.rules.flatMap(({ type, limits }) => {
    const concerned = limits.filter(
      (indexedLimit) =>
        isScopeCovered(indexedLimit, counterQuery.message) && isWindowOpen(indexedLimit.limit, counterQuery),
    )
    if (concerned.length === 0) return []
    const limitConditions = concerned.map((indexedLimit) => {
      starts.push(findEarliestStart(indexedLimit.limit, counterQuery))
      const name = sql.id(`sum${sums.length}`)
      sums.push(
        sql`coalesce(sum((b & 16383)::integer) filter (where ${countsBucketSql(indexedLimit, counterQuery)}), 0) as ${name}`,
      )
      return sql`s.${name} >= ${resolveMaxCount(indexedLimit.limit, counterQuery)}::integer`
    })
    // Where zones differ a limit of the rule may concern no message of the contact: one that fails is enough.
    const isEach = type === 'or' && isExactInSql(counterQuery)
    return [sql`(${sql.join(limitConditions, isEach ? sql` and ` : sql` or `)})`]
  })
  if (failingConditions.length === 0) return sql`from ${table} where false`
  const oldestBucket = Math.floor(Math.min(...starts) / PRESSURE_BUCKET_MS)
  // Buckets stand oldest first: whoever got nothing in the longest period is passed over by the last one.
  return sql`
    from ${table} cross join lateral (select ${sql.join(sums)} from unnest(p.buckets) as b) s
    where p.account = ${counterQuery.account} and p.buckets[cardinality(p.buckets)] >> 30 >= ${oldestBucket}::bigint
      and (${sql.join(failingConditions, sql` or `)})`
}

interface Candidate {
  contact: number
  buckets: number[]
  unicity: string
  fields: Record<string, unknown>
}

async function readCandidates(db: Db, counterQuery: CounterQuery, after: number, limit: number): Promise<Candidate[]> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(PAGE_TIMEOUT_MS)}, true)`.execute(tx)
    const { rows } = await sql<Candidate>`
      select p.contact, p.buckets, c.unicity, c.fields
      from (select p.contact, p.buckets ${selectCandidates(counterQuery)} and p.contact > ${after} order by p.contact limit ${limit}) p
      join contacts c on c.account = ${counterQuery.account} and c.id = p.contact
      order by p.contact`.execute(tx)
    return rows
  }).catch((error) => {
    throw isStatementTimeout(error) ? overloadedProblem('This list takes too long to compute. Select one rule.') : error
  })
}

function toContactAtLimit(
  counterQuery: CounterQuery,
  { contact, buckets, unicity, fields }: Candidate,
  moments: PressurePeriodCache,
): ContactsAtLimit['items'] {
  const { known: pressureRules, rules, message, present } = counterQuery
  const contactCounts = {
    buckets: unpackPressureBuckets(buckets),
    present: { ...present, zone: resolveContactZone(pressureRules, fields) },
  }
  const pressureStop = findPressureStop(rules, { message, counted: contactCounts }, moments)
  if (!pressureStop) return []
  const { rule, expression, limit, count, until } = pressureStop
  return [{ id: formatContactId(contact), unicity, rule, expression, count, limit: limit.count, until }]
}

/** Reads the items of a page; `next`: the last contact that was examined, null if it was the last page. */
async function readPage(
  db: Db,
  counterQuery: CounterQuery,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: ContactsAtLimit['items']; next: number | null }> {
  const items: ContactsAtLimit['items'] = []
  const periodCache: PressurePeriodCache = new Map()
  const size = isExactInSql(counterQuery) ? limit + 1 : CANDIDATE_BATCH_SIZE
  for (let lastContact = after; ; ) {
    const rows = await readCandidates(db, counterQuery, lastContact, size)
    for (const row of rows) {
      if (items.length === limit) return { items, next: lastContact }
      items.push(...toContactAtLimit(counterQuery, row, periodCache))
      lastContact = row.contact
    }
    if (rows.length < size) return { items, next: null }
  }
}

async function countContacts(db: Db, counterQuery: CounterQuery): Promise<ContactTotal> {
  const total = await countWithinTimeout(db, sql`select 1 ${selectCandidates(counterQuery)}`, COUNT_TIMEOUT_MS)
  if (total !== undefined) return { total, exact: isExactInSql(counterQuery) }
  const sampledCounters = sql`pressure_counters p tablesample system (${sql.lit(SAMPLE_PERCENT)})`
  const { rows } = await sql<{
    n: number
  }>`select count(*)::integer as n ${selectCandidates(counterQuery, sampledCounters)}`.execute(db)
  return { total: (rows[0]?.n ?? 0) * (100 / SAMPLE_PERCENT), exact: false }
}

/** The rules that are asked. Throws notFound for one that is not active. */
function selectRules({ rules }: AccountPressureRules, rule: string | undefined): readonly IndexedPressureRule[] {
  if (rule === undefined) return rules
  const activeRule = rules.find(({ id }) => id === rule.toLowerCase())
  if (!activeRule) throw notFoundProblem('active rule', rule)
  return [activeRule]
}

function resolveTopicNumber({ topics }: AccountPressureRules, topic: string | undefined): number {
  if (topic === undefined) return 0
  const topicNumber = topics.get(topic.toLowerCase())
  if (topicNumber === undefined) throw notFoundProblem('topic', topic)
  return topicNumber
}

type ContactTotal = Pick<ContactsAtLimit, 'total' | 'exact'>

/** Cursor of the next page, with the count of the first one. */
const formatCursor = (contact: number, { total, exact }: ContactTotal): string =>
  `${formatContactId(contact)}.${total}.${Number(exact)}`

function parseCursor(after: string): { contact: number; known: ContactTotal } {
  const [, id = '', total = '', exact] = /^(\w{8})\.(\d{1,15})\.([01])$/.exec(after) ?? []
  const contact = parseContactId(id)
  if (contact === undefined) throw badRequestProblem('after', 'is not the "next" value of a page')
  return { contact, known: { total: Number(total), exact: exact === '1' } }
}

/** The contact that a share of the ids of all who were counted lies before. */
async function findContactAtShare(db: Db, account: AccountId, share: number): Promise<number> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(contact) as first, max(contact) as last from pressure_counters where account = ${account}`.execute(db)
  const { first: firstContact, last: lastCounted } = rows[0]!
  return firstContact === null || lastCounted === null
    ? 0
    : Math.floor(firstContact - 1 + share * (lastCounted - firstContact))
}

async function resolveStart(
  db: Db,
  account: AccountId,
  { after, at }: ContactsAtLimitQuery,
): Promise<{ contact: number; known?: ContactTotal }> {
  if (after === undefined)
    return { contact: at === undefined || at === 0 ? 0 : await findContactAtShare(db, account, at) }
  if (at !== undefined) throw badRequestProblem('at', 'cannot be combined with after')
  return parseCursor(after)
}

/**
 * The contacts to whom a kind of message would not go now because of what they got, by ascending id, with the rule that stops it and
 * until when; `now` in milliseconds. Throws notFound for a topic or rule that is not there.
 */
export async function listContactsAtLimit(
  db: Db,
  account: AccountId,
  query: ContactsAtLimitQuery,
  now: number,
): Promise<ContactsAtLimit> {
  const { channel = pressureChannels[0], purpose = messagePurposes[0], priority = 50, limit = DEFAULT_LIMIT } = query
  const pressureRules = (await loadPressureRules(db, [account])).get(account)!
  const present = { now, zone: pressureRules.timeZone }
  const message = { channel, purpose, topic: resolveTopicNumber(pressureRules, query.topic), priority }
  const evaluatedRules = selectRules(pressureRules, query.rule).map((rule) => {
    return { rule, stop: findPressureStop([rule], { message, counted: { buckets: [], present } }) }
  })
  const closedRules = evaluatedRules.flatMap(({ stop }) => {
    return stop
      ? [{ rule: stop.rule, expression: stop.expression, limit: stop.limit.count, until: stop.waitUntil }]
      : []
  })
  const rules = evaluatedRules.flatMap(({ rule, stop }) => (stop ? [] : [rule]))
  const counterQuery = { account, known: pressureRules, rules, message, present }
  const { contact, known: countedTotal } = await resolveStart(db, account, query)
  const { items, next: nextContact } = await readPage(db, counterQuery, { after: contact, limit })
  // A first page that is the last has them all.
  const isComplete = contact === 0 && nextContact === null && isExactInSql(counterQuery)
  const total =
    countedTotal ?? (isComplete ? { total: items.length, exact: true } : await countContacts(db, counterQuery))
  return { items, ...total, next: nextContact === null ? null : formatCursor(nextContact, total), closed: closedRules }
}
