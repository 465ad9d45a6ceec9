import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import type { EventChannel, EventKind } from '../kinds/event-kinds.ts'
import {
  accountCondition,
  type ClickHouseFragment,
  clickHouseSql,
  eventIdText,
  formatEventId,
  instantParam,
  int64Param,
  joinClickHouseConditions,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringArrayParam,
  stringParam,
} from './sql.ts'
import { createStoreAwayProblem, type EventStore } from './store.ts'
import { NIL_UUID } from './tables.ts'

/** Quarters of a channel of an account by their start, and until when events are meant, in milliseconds. */
export interface ChannelQuarterRange {
  account: number
  channel: EventChannel
  starts: readonly number[]
  until: number
}

/** An event with what it is counted by; `at` and `activation_at` in milliseconds, what is null as the store has it. */
export interface QuarterEvent {
  id: string
  at: number
  channel: string
  kind: EventKind
  subject: number
  contact: number
  stamp: string
  classification: string
  is_test: number
  activation_at: number | null
  detail: string
}

/** Events of one answer: their details are held together. */
const ROWS = 5000
/** How long the store may take for them: the progress of counting is locked meanwhile. */
const PATIENCE_MS = 20_000

const columns = clickHouseSql`toUnixTimestamp64Milli(at) as at, channel, kind, subject, contact, toString(stamp) as stamp, classification, is_test,
  toUnixTimestamp64Milli(activation_at) as activation_at, detail`

const quarterOf = clickHouseSql`intDiv(toUnixTimestamp64Milli(e.at), ${int64Param(QUARTER_HOUR_MS)}) * ${int64Param(QUARTER_HOUR_MS)}`

/** Conditions on events `e` of some quarters. */
function ofQuarters({ channel, starts, until }: ChannelQuarterRange): ClickHouseFragment {
  const listed = joinClickHouseFragments(
    starts.map((start) => clickHouseSql`${int64Param(start)}`),
    ', ',
  )
  const [first, last] = [Math.min(...starts), Math.max(...starts)]
  return joinClickHouseConditions([
    accountCondition,
    clickHouseSql`channel = ${stringParam(channel)}`,
    clickHouseSql`e.at >= ${instantParam(first)} and e.at < ${instantParam(Math.min(last + QUARTER_HOUR_MS, until))}`,
    clickHouseSql`${quarterOf} in (${listed})`,
  ])
}

/**
 * Pages of the events of some quarters, and of the events of some kinds that other messages of theirs have, by which they are told from
 * each other: an event may come twice. Throws `event-history-away`.
 */
export async function* readQuarterEvents(
  store: EventStore,
  quarters: ChannelQuarterRange,
): AsyncGenerator<QuarterEvent[]> {
  const { until } = quarters
  yield* pages(store, quarters, clickHouseSql`events_by_time e where ${ofQuarters(quarters)}`)
  const stamps = clickHouseSql`select stamp from events_by_time e where ${ofQuarters(quarters)} and stamp <> ${rawClickHouseSql(`toUUID('${NIL_UUID}')`)}`
  const looked = stringArrayParam(['executions', 'activations', 'bounces', 'deliveries'])
  yield* pages(
    store,
    quarters,
    clickHouseSql`events_by_stamp e where ${accountCondition} and stamp in (${stamps}) and kind in ${looked} and e.at < ${instantParam(until)}`,
  )
}

async function* pages(
  store: EventStore,
  { account }: ChannelQuarterRange,
  from: ClickHouseFragment,
): AsyncGenerator<QuarterEvent[]> {
  let after: QuarterEvent | undefined
  do {
    const behind = after
      ? clickHouseSql`and (e.at, e.id) > (${instantParam(after.at)}, ${formatEventId(after.id)})`
      : rawClickHouseSql('')
    const found: QuarterEvent[] = await patiently((signal) => {
      const statement = clickHouseSql`
        select ${eventIdText} as id, ${columns}
        from (select e.* from ${from} ${behind} order by e.at, e.id limit ${int64Param(ROWS)}) order by at, id`
      return store.rows<QuarterEvent>({ account, statement, signal })
    })
    if (found.length > 0) yield found
    after = found.length === ROWS ? found.at(-1) : undefined
  } while (after)
}

async function patiently<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    return await ask(signal)
  } catch (error) {
    throw signal.aborted ? createStoreAwayProblem(error) : error
  }
}
