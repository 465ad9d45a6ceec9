import { hostname } from 'node:os'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { isResolvedWithin } from '../concurrency/within.ts'
import type { TraceSettings } from './trace-settings.ts'
import type { SpanOptions, TraceSpan, Tracing } from './tracing.ts'

/** What waits to be exported is bounded: what comes beyond it is dropped. */
const QUEUE = { maxQueueSize: 4096, maxExportBatchSize: 512 }
/** How long the end of the process waits for the last spans. */
const FLUSH_MS = 1000

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

const roots: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const [, parentBased, root = ''] = /^(parentbased_)?(.*)$/.exec(sampler) ?? []
  const made = roots[root]!(ratio)
  return parentBased ? new ParentBasedSampler({ root: made }) : made
}

/** Logs the first failure of an outage, and its end: traces are lost meanwhile, and nothing else. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isAway) log.warn({ err: result.error }, 'traces are not exported')
        if (!hasFailed && isAway) log.info('traces are exported again')
        isAway = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** A word, or the code or class of an error: its text may hold what is personal. */
function typeOf(failure: unknown): string {
  const isError = failure instanceof Error
  const word = isError ? (failure as NodeJS.ErrnoException).code : failure
  if (typeof word === 'string' && /^\w{1,40}$/.test(word)) return word
  return isError ? failure.constructor.name : '_OTHER'
}

function contextOf({ parent, remote }: SpanOptions, spans: WeakMap<TraceSpan, Span>): Context {
  const span = parent && spans.get(parent)
  if (span) return trace.setSpan(ROOT_CONTEXT, span)
  return remote ? new W3CTraceContextPropagator().extract(ROOT_CONTEXT, remote, defaultTextMapGetter) : ROOT_CONTEXT
}

function opened(span: Span): TraceSpan {
  return {
    add: (attributes) => void span.setAttributes(attributes),
    end(failure, at) {
      if (failure !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', typeOf(failure))
      }
      span.end(at)
    },
  }
}

/** Spans that are exported by OTLP over HTTP, to where the standard variables say. */
export function startOtlpTracing(settings: TraceSettings, { version, log }: { version: string; log: Logger }): Tracing {
  const own = { 'service.name': 'stentor', 'service.version': version, 'host.name': hostname() }
  const resource = defaultResource()
    .merge(resourceFromAttributes({ ...own, 'process.pid': process.pid }))
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = reporting(new OTLPTraceExporter(), log)
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...QUEUE })],
  })
  const tracer = provider.getTracer('stentor', version)
  const spans = new WeakMap<TraceSpan, Span>()
  return {
    start(name, facts = {}) {
      const { kind = 'internal', attributes, startedAt } = facts
      const options = { kind: kinds[kind], attributes, startTime: startedAt }
      const span = tracer.startSpan(name, options, contextOf(facts, spans))
      const open = opened(span)
      spans.set(open, span)
      return open
    },
    async close() {
      // A failure was logged by the exporter.
      await isResolvedWithin(
        FLUSH_MS,
        provider.shutdown().catch(() => undefined),
      )
    },
  }
}
