import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import { runInSpan, type TraceSpan, type Tracing } from '../../lib/telemetry/tracing.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'

/*
 * Spans of sending: one of a batch, and within it one of its claim, one of what is asked before it leaves, and one of
 * each gateway's part, with the making of its messages. None is of a single message, as that would cost as much as sending it may.
 */

/** Ids of sendings and accounts that a span names at most. */
const MAX_SPAN_IDS = 20

const laneNames = new Map<OutboxLane, string>(Object.entries(outboxLanes).map(([name, lane]) => [lane, name]))

/** Tracing of a batch. */
export interface BatchTracing {
  tracing?: Tracing | undefined
  /** Span of the batch. */
  span?: TraceSpan | undefined
}

/** Returns the time when composing messages, or a batch, started, in milliseconds since 1970. */
export const getSpanTimeMs = (): number => systemClock.now()

/** Begins the span of a batch that was claimed, with that of its claim; undefined where nothing is traced. */
export function startBatchSpan(
  tracing: Tracing | undefined,
  claimed: readonly ClaimedMessage[],
  { lane, startedAt }: { lane: OutboxLane; startedAt: number },
): TraceSpan | undefined {
  if (!tracing) return undefined
  const limitIds = (ids: Iterable<number>) => [...new Set(ids)].slice(0, MAX_SPAN_IDS)
  const batchSpan = tracing.start('batch', {
    kind: 'consumer',
    startedAt,
    attributes: {
      'messaging.batch.message_count': claimed.length,
      'stentor.lane': laneNames.get(lane) ?? String(lane),
      'stentor.accounts': limitIds(claimed.map(({ account }) => account)),
      'stentor.sendings': limitIds(claimed.map(({ sending }) => sending)),
    },
  })
  tracing.start('claim', { parent: batchSpan, startedAt }).end()
  return batchSpan
}

/** Measures the making of messages, one by one, between those that leave. */
export interface CompositionMeter {
  /** Does the making of one message. */
  during<T>(make: () => T): T
}

interface CompositionRecorder extends CompositionMeter {
  /** Makes the span of what was measured, from the first message to the last; none of nothing. */
  report(tracing: Tracing, parent: TraceSpan | undefined): void
}

function startMeter(): CompositionRecorder {
  let startedAt = 0
  let endedAt = 0
  let count = 0
  let busyMs = 0
  return {
    during(make) {
      const makeStart = performance.now()
      if (count === 0) startedAt = getSpanTimeMs()
      try {
        return make()
      } finally {
        const makeEnd = performance.now()
        busyMs += makeEnd - makeStart
        endedAt = makeEnd
        count++
      }
    },
    report(tracing, parent) {
      if (count === 0) return
      const attributes = { 'messaging.batch.message_count': count, 'stentor.compose.busy_ms': Math.round(busyMs) }
      const composeSpan = tracing.start('compose', { parent, startedAt, attributes })
      composeSpan.end(undefined, Math.max(startedAt, getSpanTimeMs() - (performance.now() - endedAt)))
    },
  }
}

/** Sends a part of a batch within a span; `work` gets what measures the making of its messages, where there is tracing. */
export async function traceBatchSending(
  { tracing, span: parent }: BatchTracing,
  { gateway, count }: { gateway: string | undefined; count: number },
  work: (meter?: CompositionMeter) => Promise<void>,
): Promise<void> {
  if (!tracing) return work()
  const meter = startMeter()
  const attributes = {
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.batch.message_count': count,
    ...(gateway !== undefined && { 'stentor.gateway': gateway }),
  }
  await runInSpan(
    tracing,
    'send',
    () => ({ kind: 'client', parent, attributes }),
    (span) => work(meter).finally(() => meter.report(tracing, span)),
  )
}
