/**
 * Attributes of spans, named by the semantic conventions where there are some, otherwise by names of this program. Never addresses,
 * contents or keys.
 */
export type SpanAttributes = Record<string, string | number | boolean | string[] | number[]>

/** The caller's headers (W3C Trace Context). */
export interface RemoteTraceParent {
  traceparent?: string | undefined
  tracestate?: string | undefined
}

/** Facts about a span that are known at its start. */
export interface SpanOptions {
  /** Its kind within the system; `internal` if absent. */
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  /** The span that it is part of; absent: it begins a trace, or goes on with that of `remote`. */
  parent?: TraceSpan | undefined
  remote?: RemoteTraceParent | undefined
  /** Milliseconds since 1970; absent: now. */
  startedAt?: number
  attributes?: SpanAttributes
}

/** A span that has begun. */
export interface TraceSpan {
  add(attributes: SpanAttributes): void
  /**
   * Ends it. A failure is a word or an error, of which the code or class is recorded and not the text. The end is at a moment
   * (milliseconds), otherwise now.
   */
  end(failure?: unknown, at?: number): void
}

/** The destination of spans. It is absent if a process traces nothing. */
export interface Tracing {
  start(name: string, facts?: SpanOptions): TraceSpan
  /** Exports what is left, for a second at most, and ends. */
  close(): Promise<void>
}

/** Runs some work within a span if there is tracing; returns the result of the work. `facts` is not called without tracing. */
export async function runInSpan<T>(
  tracing: Tracing | undefined,
  name: string,
  facts: () => SpanOptions,
  work: (span?: TraceSpan) => Promise<T>,
): Promise<T> {
  if (!tracing) return work()
  const span = tracing.start(name, facts())
  try {
    const result = await work(span)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
