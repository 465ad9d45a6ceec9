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
const PAGE_MS = 10_000
const COUNT_MS = 3000
/** Share of the counters, in percent, that stands for all where counting takes too long. */
const SAMPLE = 2
/** Candidates that are read at once. */
const BATCH = 1000
/** From a month of 30 days to the longest, and the hours by which zones and their clocks differ. */
const LONGEST_MONTH = 31 / 30
const ZONES_MS = 27 * 3_600_000

/** What is asked of counters, and when. */
interface Asked {
  account: AccountId
  known: AccountPressureRules
  /** Those that do not stop everybody. */
  rules: readonly IndexedPressureRule[]
  message: PressureCheckMessage
  present: ZonedMoment
}

const isByZone = ({ period, window }: PressureLimit): boolean => period.type === 'calendar' || window !== null

/** Whether the statement alone decides: the zone of a contact has no say. */
function isExact({ known, rules, message }: Asked): boolean {
  if (known.timeZoneField === null) return true
  return !rules.some(({ limits }) => limits.some((asked) => isScopeCovered(asked, message) && isByZone(asked.limit)))
}

/** The first moment that counts: for a contact of any zone the earliest it can be. */
function startOf({ period }: PressureLimit, { known, present }: Asked): number {
  if (period.type === 'calendar' && known.timeZoneField !== null)
    return present.now - maxPeriodLengthMs(period) * LONGEST_MONTH - ZONES_MS
  return pressurePeriodStart(period, present)
}

function isOpen({ window }: PressureLimit, { known, present }: Asked): boolean {
  return window === null || known.timeZoneField !== null || pressureWindowEnd(window, present) !== undefined
}

/** Whether a bucket is among those that a limit counts, by its bits. */
function counts({ limit, topics }: IndexedPressureLimit, asked: Asked): Sql {
  const among = (bits: Sql, all: readonly string[], chosen: readonly string[]): Sql =>
    chosen.length === 0 ? sql`true` : sql`${bits} = any(${chosen.map((one) => all.indexOf(one))}::bigint[])`
  return sql.join(
    [
      sql`b >> 30 >= ${Math.floor(startOf(limit, asked) / PRESSURE_BUCKET_MS)}::bigint`,
      among(sql`(b >> 28 & 3)`, pressureChannels, limit.channels),
      among(sql`(b >> 27 & 1)`, messagePurposes, limit.purposes),
      limit.topics.length === 0 ? sql`true` : sql`(b >> 14 & 8191) = any(${[...topics]}::bigint[])`,
    ],
    sql` and `,
  )
}

const mostOf = ({ count, reserve, reservePriority }: PressureLimit, { message }: Asked): number =>
  message.priority >= reservePriority ? count : count - reserve

const ALL = sql`pressure_counters p`

/** The rows of counters that rules stop, or may: `p`, each limit summed up once; of all of them or of a sample. */
function candidates(asked: Asked, table = ALL): Sql {
  const sums: Sql[] = []
  const starts: number[] = []
  const failing = asked.rules.flatMap(({ type, limits }) => {
    const concerned = limits.filter((one) => isScopeCovered(one, asked.message) && isOpen(one.limit, asked))
    if (concerned.length === 0) return []
    const fails = concerned.map((one) => {
      starts.push(startOf(one.limit, asked))
      const name = sql.id(`sum${sums.length}`)
      sums.push(sql`coalesce(sum((b & 16383)::integer) filter (where ${counts(one, asked)}), 0) as ${name}`)
      return sql`s.${name} >= ${mostOf(one.limit, asked)}::integer`
    })
    // Where zones differ a limit of the rule may concern no message of the contact: one that fails is enough.
    const isEach = type === 'or' && isExact(asked)
    return [sql`(${sql.join(fails, isEach ? sql` and ` : sql` or `)})`]
  })
  if (failing.length === 0) return sql`from ${table} where false`
  const oldest = Math.floor(Math.min(...starts) / PRESSURE_BUCKET_MS)
  // Buckets stand oldest first: whoever got nothing in the longest period is passed over by the last one.
  return sql`
    from ${table} cross join lateral (select ${sql.join(sums)} from unnest(p.buckets) as b) s
    where p.account = ${asked.account} and p.buckets[cardinality(p.buckets)] >> 30 >= ${oldest}::bigint
      and (${sql.join(failing, sql` or `)})`
}

interface Candidate {
  contact: number
  buckets: number[]
  unicity: string
  fields: Record<string, unknown>
}

async function readCandidates(db: Db, asked: Asked, after: number, limit: number): Promise<Candidate[]> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(PAGE_MS)}, true)`.execute(tx)
    const { rows } = await sql<Candidate>`
      select p.contact, p.buckets, c.unicity, c.fields
      from (select p.contact, p.buckets ${candidates(asked)} and p.contact > ${after} order by p.contact limit ${limit}) p
      join contacts c on c.account = ${asked.account} and c.id = p.contact
      order by p.contact`.execute(tx)
    return rows
  }).catch((error) => {
    throw isStatementTimeout(error) ? overloadedProblem('This list takes too long: ask for one rule.') : error
  })
}

function shown(
  asked: Asked,
  { contact, buckets, unicity, fields }: Candidate,
  moments: PressurePeriodCache,
): ContactsAtLimit['items'] {
  const { known, rules, message, present } = asked
  const counted = {
    buckets: unpackPressureBuckets(buckets),
    present: { ...present, zone: resolveContactZone(known, fields) },
  }
  const stop = findPressureStop(rules, { message, counted }, moments)
  if (!stop) return []
  const { rule, expression, limit, count, until } = stop
  return [{ id: formatContactId(contact), unicity, rule, expression, count, limit: limit.count, until }]
}

/** The items of a page; `next`: the last contact that was looked at, null when there are no more. */
async function pageOf(
  db: Db,
  asked: Asked,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: ContactsAtLimit['items']; next: number | null }> {
  const items: ContactsAtLimit['items'] = []
  const moments: PressurePeriodCache = new Map()
  const size = isExact(asked) ? limit + 1 : BATCH
  for (let from = after; ; ) {
    const rows = await readCandidates(db, asked, from, size)
    for (const row of rows) {
      if (items.length === limit) return { items, next: from }
      items.push(...shown(asked, row, moments))
      from = row.contact
    }
    if (rows.length < size) return { items, next: null }
  }
}

async function countOf(db: Db, asked: Asked): Promise<Total> {
  const total = await countWithinTimeout(db, sql`select 1 ${candidates(asked)}`, COUNT_MS)
  if (total !== undefined) return { total, exact: isExact(asked) }
  const sample = sql`pressure_counters p tablesample system (${sql.lit(SAMPLE)})`
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n ${candidates(asked, sample)}`.execute(db)
  return { total: (rows[0]?.n ?? 0) * (100 / SAMPLE), exact: false }
}

/** The rules that are asked. Throws notFound for one that is not active. */
function rulesOf({ rules }: AccountPressureRules, rule: string | undefined): readonly IndexedPressureRule[] {
  if (rule === undefined) return rules
  const one = rules.find(({ id }) => id === rule.toLowerCase())
  if (!one) throw notFoundProblem('active rule', rule)
  return [one]
}

function topicOf({ topics }: AccountPressureRules, topic: string | undefined): number {
  if (topic === undefined) return 0
  const number = topics.get(topic.toLowerCase())
  if (number === undefined) throw notFoundProblem('topic', topic)
  return number
}

type Total = Pick<ContactsAtLimit, 'total' | 'exact'>

/** Where a page goes on, with what the first one counted. */
const writeNext = (contact: number, { total, exact }: Total): string =>
  `${formatContactId(contact)}.${total}.${Number(exact)}`

function readNext(after: string): { contact: number; known: Total } {
  const [, id = '', total = '', exact] = /^(\w{8})\.(\d{1,15})\.([01])$/.exec(after) ?? []
  const contact = parseContactId(id)
  if (contact === undefined) throw badRequestProblem('after', 'is not the "next" of a page')
  return { contact, known: { total: Number(total), exact: exact === '1' } }
}

/** The contact that a share of the ids of all who were counted lies before. */
async function contactAt(db: Db, account: AccountId, share: number): Promise<number> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(contact) as first, max(contact) as last from pressure_counters where account = ${account}`.execute(db)
  const { first, last } = rows[0]!
  return first === null || last === null ? 0 : Math.floor(first - 1 + share * (last - first))
}

async function beginning(
  db: Db,
  account: AccountId,
  { after, at }: ContactsAtLimitQuery,
): Promise<{ contact: number; known?: Total }> {
  if (after === undefined) return { contact: at === undefined || at === 0 ? 0 : await contactAt(db, account, at) }
  if (at !== undefined) throw badRequestProblem('at', 'cannot be given beside after')
  return readNext(after)
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
  const known = (await loadPressureRules(db, [account])).get(account)!
  const present = { now, zone: known.timeZone }
  const message = { channel, purpose, topic: topicOf(known, query.topic), priority }
  const judged = rulesOf(known, query.rule).map((rule) => {
    return { rule, stop: findPressureStop([rule], { message, counted: { buckets: [], present } }) }
  })
  const closed = judged.flatMap(({ stop }) => {
    return stop
      ? [{ rule: stop.rule, expression: stop.expression, limit: stop.limit.count, until: stop.waitUntil }]
      : []
  })
  const rules = judged.flatMap(({ rule, stop }) => (stop ? [] : [rule]))
  const asked = { account, known, rules, message, present }
  const { contact, known: counted } = await beginning(db, account, query)
  const { items, next } = await pageOf(db, asked, { after: contact, limit })
  // A first page that is the last has them all.
  const isWhole = contact === 0 && next === null && isExact(asked)
  const total = counted ?? (isWhole ? { total: items.length, exact: true } : await countOf(db, asked))
  return { items, ...total, next: next === null ? null : writeNext(next, total), closed }
}
