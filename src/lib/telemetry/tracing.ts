/** What spans say: names of the semantic conventions where there are some, else of ours. Never addresses, contents or keys. */
export type SpanAttributes = Record<string, string | number | boolean | string[] | number[]>

/** The caller's headers (W3C Trace Context). */
export interface RemoteTraceParent {
  traceparent?: string | undefined
  tracestate?: string | undefined
}

/** What is known of a span when it begins. */
export interface SpanOptions {
  /** What it is within the system; `internal` when absent. */
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
  /** Ends it: by its failure, a word or an error of which code or class is told and not the text; at a moment (milliseconds), else now. */
  end(failure?: unknown, at?: number): void
}

/** Where spans go. A process that traces nothing has none. */
export interface Tracing {
  start(name: string, facts?: SpanOptions): TraceSpan
  /** Exports what is left, for a second at most, and ends. */
  close(): Promise<void>
}

/** Does some work within a span, where there is tracing; gives what the work gives. `facts` is not asked where there is none. */
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
