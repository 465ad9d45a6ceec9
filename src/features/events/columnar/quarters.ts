import { QUARTER_MS } from '../../../lib/time/spans.ts'
import type { Channel, Kind } from '../kinds/event-kinds.ts'
import { allOf, ch, type Fragment, idOf, idText, instant, int, joined, ofAccount, raw, text, texts } from './sql.ts'
import { type EventStore, storeAway } from './store.ts'
import { NO_UUID } from './tables.ts'

/** Quarters of a channel of an account by their start, and until when events are meant, in milliseconds. */
export interface Quarters {
  account: number
  channel: Channel
  starts: readonly number[]
  until: number
}

/** An event with what it is counted by; `at` and `activation_at` in milliseconds, what is null as the store has it. */
export interface QuarterEvent {
  id: string
  at: number
  channel: string
  kind: Kind
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

const columns = ch`toUnixTimestamp64Milli(at) as at, channel, kind, subject, contact, toString(stamp) as stamp, classification, is_test,
  toUnixTimestamp64Milli(activation_at) as activation_at, detail`

const quarterOf = ch`intDiv(toUnixTimestamp64Milli(e.at), ${int(QUARTER_MS)}) * ${int(QUARTER_MS)}`

/** Conditions on events `e` of some quarters. */
function ofQuarters({ channel, starts, until }: Quarters): Fragment {
  const listed = joined(
    starts.map((start) => ch`${int(start)}`),
    ', ',
  )
  const [first, last] = [Math.min(...starts), Math.max(...starts)]
  return allOf([
    ofAccount,
    ch`channel = ${text(channel)}`,
    ch`e.at >= ${instant(first)} and e.at < ${instant(Math.min(last + QUARTER_MS, until))}`,
    ch`${quarterOf} in (${listed})`,
  ])
}

/**
 * Pages of the events of some quarters, and of the events of some kinds that other messages of theirs have, by which they are told from
 * each other: an event may come twice. Throws `event-history-away`.
 */
export async function* readQuarters(store: EventStore, quarters: Quarters): AsyncGenerator<QuarterEvent[]> {
  const { until } = quarters
  yield* pages(store, quarters, ch`events_by_time e where ${ofQuarters(quarters)}`)
  const stamps = ch`select stamp from events_by_time e where ${ofQuarters(quarters)} and stamp <> ${raw(`toUUID('${NO_UUID}')`)}`
  const looked = texts(['executions', 'activations', 'bounces', 'deliveries'])
  yield* pages(
    store,
    quarters,
    ch`events_by_stamp e where ${ofAccount} and stamp in (${stamps}) and kind in ${looked} and e.at < ${instant(until)}`,
  )
}

async function* pages(store: EventStore, { account }: Quarters, from: Fragment): AsyncGenerator<QuarterEvent[]> {
  let after: QuarterEvent | undefined
  do {
    const behind = after ? ch`and (e.at, e.id) > (${instant(after.at)}, ${idOf(after.id)})` : raw('')
    const found: QuarterEvent[] = await patiently((signal) => {
      const statement = ch`
        select ${idText} as id, ${columns}
        from (select e.* from ${from} ${behind} order by e.at, e.id limit ${int(ROWS)}) order by at, id`
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
    throw signal.aborted ? storeAway(error) : error
  }
}
