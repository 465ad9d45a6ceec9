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

/** The queue of spans to export is bounded: spans beyond the limit are dropped. */
const QUEUE_LIMITS = { maxQueueSize: 4096, maxExportBatchSize: 512 }
/** The longest time that the end of the process waits for the last spans. */
const FLUSH_TIMEOUT_MS = 1000

const spanKinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const

const rootSamplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
}

function createSampler({ sampler, ratio }: TraceSettings): Sampler {
  const [, parentBased, rootName = ''] = /^(parentbased_)?(.*)$/.exec(sampler) ?? []
  const rootSampler = rootSamplers[rootName]!(ratio)
  return parentBased ? new ParentBasedSampler({ root: rootSampler }) : rootSampler
}

/** Logs the first failure of an outage, and its end: traces are lost meanwhile, and nothing else. */
function createReportingExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let isUnavailable = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isUnavailable) log.warn({ err: result.error }, 'traces are not exported')
        if (!hasFailed && isUnavailable) log.info('traces are exported again')
        isUnavailable = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** A word, or the code or class of an error: its text may hold what is personal. */
function getFailureType(failure: unknown): string {
  const isError = failure instanceof Error
  const failureCode = isError ? (failure as NodeJS.ErrnoException).code : failure
  if (typeof failureCode === 'string' && /^\w{1,40}$/.test(failureCode)) return failureCode
  return isError ? failure.constructor.name : '_OTHER'
}

function buildParentContext({ parent, remote }: SpanOptions, spans: WeakMap<TraceSpan, Span>): Context {
  const span = parent && spans.get(parent)
  if (span) return trace.setSpan(ROOT_CONTEXT, span)
  return remote ? new W3CTraceContextPropagator().extract(ROOT_CONTEXT, remote, defaultTextMapGetter) : ROOT_CONTEXT
}

function wrapSpan(span: Span): TraceSpan {
  return {
    add: (attributes) => void span.setAttributes(attributes),
    end(failure, at) {
      if (failure !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.setAttribute('error.type', getFailureType(failure))
      }
      span.end(at)
    },
  }
}

/** Spans that are exported by OTLP over HTTP, to where the standard variables say. */
export function startOtlpTracing(settings: TraceSettings, { version, log }: { version: string; log: Logger }): Tracing {
  const ownAttributes = { 'service.name': 'stentor', 'service.version': version, 'host.name': hostname() }
  const resource = defaultResource()
    .merge(resourceFromAttributes({ ...ownAttributes, 'process.pid': process.pid }))
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = createReportingExporter(new OTLPTraceExporter(), log)
  const provider = new TracerProvider({
    resource,
    sampler: createSampler(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...QUEUE_LIMITS })],
  })
  const tracer = provider.getTracer('stentor', version)
  const spans = new WeakMap<TraceSpan, Span>()
  return {
    start(name, facts = {}) {
      const { kind = 'internal', attributes, startedAt } = facts
      const options = { kind: spanKinds[kind], attributes, startTime: startedAt }
      const otlpSpan = tracer.startSpan(name, options, buildParentContext(facts, spans))
      const openSpan = wrapSpan(otlpSpan)
      spans.set(openSpan, otlpSpan)
      return openSpan
    },
    async close() {
      // A failure was logged by the exporter.
      await isResolvedWithin(
        FLUSH_TIMEOUT_MS,
        provider.shutdown().catch(() => undefined),
      )
    },
  }
}
