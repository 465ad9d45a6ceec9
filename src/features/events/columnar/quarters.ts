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
const PAGE_ROWS = 5000
/** Longest time the store may take: the progress of counting is locked meanwhile. */
const READ_TIMEOUT_MS = 20_000

const eventColumns = clickHouseSql`toUnixTimestamp64Milli(at) as at, channel, kind, subject, contact, toString(stamp) as stamp, classification, is_test,
  toUnixTimestamp64Milli(activation_at) as activation_at, detail`

const quarterExpression = clickHouseSql`intDiv(toUnixTimestamp64Milli(e.at), ${int64Param(QUARTER_HOUR_MS)}) * ${int64Param(QUARTER_HOUR_MS)}`

/** Conditions on events `e` of some quarters. */
function buildQuarterCondition({ channel, starts, until }: ChannelQuarterRange): ClickHouseFragment {
  const startList = joinClickHouseFragments(
    starts.map((start) => clickHouseSql`${int64Param(start)}`),
    ', ',
  )
  const [first, last] = [Math.min(...starts), Math.max(...starts)]
  return joinClickHouseConditions([
    accountCondition,
    clickHouseSql`channel = ${stringParam(channel)}`,
    clickHouseSql`e.at >= ${instantParam(first)} and e.at < ${instantParam(Math.min(last + QUARTER_HOUR_MS, until))}`,
    clickHouseSql`${quarterExpression} in (${startList})`,
  ])
}

/**
 * Yields pages of the events of some quarters, and of the events of some kinds that their messages have at other times, which distinguish
 * them. An event may occur twice. Throws `event-history-away`.
 */
export async function* readQuarterEvents(
  store: EventStore,
  quarters: ChannelQuarterRange,
): AsyncGenerator<QuarterEvent[]> {
  const { until } = quarters
  yield* readPages(store, quarters, clickHouseSql`events_by_time e where ${buildQuarterCondition(quarters)}`)
  const quarterStamps = clickHouseSql`select stamp from events_by_time e where ${buildQuarterCondition(quarters)} and stamp <> ${rawClickHouseSql(`toUUID('${NIL_UUID}')`)}`
  const lookupKinds = stringArrayParam(['executions', 'activations', 'bounces', 'deliveries'])
  yield* readPages(
    store,
    quarters,
    clickHouseSql`events_by_stamp e where ${accountCondition} and stamp in (${quarterStamps}) and kind in ${lookupKinds} and e.at < ${instantParam(until)}`,
  )
}

async function* readPages(
  store: EventStore,
  { account }: ChannelQuarterRange,
  from: ClickHouseFragment,
): AsyncGenerator<QuarterEvent[]> {
  let lastEvent: QuarterEvent | undefined
  do {
    const cursorCondition = lastEvent
      ? clickHouseSql`and (e.at, e.id) > (${instantParam(lastEvent.at)}, ${formatEventId(lastEvent.id)})`
      : rawClickHouseSql('')
    const pageEvents: QuarterEvent[] = await withReadTimeout((signal) => {
      const statement = clickHouseSql`
        select ${eventIdText} as id, ${eventColumns}
        from (select e.* from ${from} ${cursorCondition} order by e.at, e.id limit ${int64Param(PAGE_ROWS)}) order by at, id`
      return store.rows<QuarterEvent>({ account, statement, signal })
    })
    if (pageEvents.length > 0) yield pageEvents
    lastEvent = pageEvents.length === PAGE_ROWS ? pageEvents.at(-1) : undefined
  } while (lastEvent)
}

async function withReadTimeout<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS)
  try {
    return await ask(signal)
  } catch (error) {
    throw signal.aborted ? createStoreAwayProblem(error) : error
  }
}
