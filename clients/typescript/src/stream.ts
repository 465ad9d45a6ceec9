import { backoff, delay } from './delay.ts'
import { StentorError } from './errors.ts'
import { linesOf } from './lines.ts'

/** Which events a stream carries: all of them, unless something is said. */
export interface StreamQuery {
  /** Kinds, each for all below it, such as `hits` or `hits/open`, and types of change notices, such as `target.updated`. */
  events?: string[]
  channels?: string[]
  /** Of hits and interactions: `genericrobot`, `mpp`, `gsr`, `human` (the default), `all`. */
  classification?: string[]
  /** The id of an action. */
  action?: string
  /** The id of a contact. */
  contact?: string
}

export interface StreamOptions extends StreamQuery {
  /** The id of the last event that was seen, up to 24 hours back: the stream goes on there, and may repeat the 20 s before it. */
  lastEventId?: string
  /** Ends the stream. */
  signal?: AbortSignal
}

/** An event as it is published. */
export interface StreamEvent<Data = Record<string, unknown>> {
  id: string
  /** The type of its record, such as `hit`, or of a notice, such as `target.updated`. */
  type: string
  data: Data
}

/** Opens the stream anew, after an event or from now on. Throws `StentorError` for what is refused. */
export type OpenStream = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>

/** The service says something every 15 s; a connection that is silent for this long is dead. */
const SILENCE_MS = 45_000
/** A resumed stream repeats up to 20 s of events. */
const REPEATED_MS = 60_000
/** After so long a silence among living comments, nothing older will come: the place moves on, since one of yesterday is refused. */
const QUIET_MS = 3_600_000
const PAUSES = { firstMs: 500, longestMs: 30_000 }
/** Streams refused for what passes. */
const PASSING = new Set([429, 500, 502, 503, 504])

/** The milliseconds that an id of an event (a UUID of version 7) begins with. */
function timeOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
}

/** An id that stands for a moment. */
function idAt(ms: number): string {
  const hex = Math.floor(ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Where a stream goes on when its connection is lost, and what it has given already. */
function placeOf(lastEventId: string | undefined) {
  let last = lastEventId
  let opened = { server: 0, here: 0 }
  const known = new Set(lastEventId === undefined ? [] : [lastEventId])
  return {
    last: () => last,
    /** A stream that begins now resumes from here, though no event has come: by the clock of the service. */
    open({ headers }: Response): void {
      opened = { server: Date.parse(headers.get('date') ?? ''), here: performance.now() }
      if (last === undefined && opened.server > 0) last = idAt(opened.server)
    },
    alive(): void {
      const quietSince = opened.server + (performance.now() - opened.here) - QUIET_MS
      if (last !== undefined && quietSince > opened.server && quietSince > timeOf(last)) last = idAt(quietSince)
    },
    /** Whether an event is new. */
    take(id: string): boolean {
      if (known.has(id)) return false
      known.add(id)
      last = id
      // Ids are kept in the order they came, which is nearly that of their times.
      for (const old of known) {
        if (timeOf(old) > timeOf(id) - REPEATED_MS) break
        known.delete(old)
      }
      return true
    },
  }
}

/** The events of a body of Server-Sent Events (HTML standard, 9.2.6); `onLine` is called for comments too. */
async function* eventsOf<Data>(
  body: ReadableStream<Uint8Array>,
  onLine: () => void,
): AsyncGenerator<StreamEvent<Data>> {
  let fields: Record<string, string> = {}
  for await (const line of linesOf(body)) {
    onLine()
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (name !== '')
        fields[name] = name === 'data' && fields[name] !== undefined ? `${fields[name]}\n${value}` : value
      continue
    }
    const { id, event = 'message', data } = fields
    fields = {}
    if (id !== undefined && data !== undefined) yield { id, type: event, data: JSON.parse(data) as Data }
  }
}

/** What ends one connection: the caller's signal, or silence. */
function connectionOf(signal: AbortSignal | undefined, silenceMs: number) {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(new Error('The stream is silent.')), silenceMs)
  }
  heard()
  return {
    heard,
    signal: signal ? AbortSignal.any([signal, silent.signal]) : silent.signal,
    end: () => clearTimeout(timer),
  }
}

/** Throws what will not pass by itself. */
function requirePassing(error: unknown): void {
  if (error instanceof StentorError && !PASSING.has(error.status)) throw error
  if (error instanceof SyntaxError) throw error
}

/**
 * The live stream of events, opened again whenever it is lost, from where it was: each event once. Ends with the signal. Throws
 * `StentorError` when it is refused for good, such as 410 `stream-too-old` after 24 hours away: the history has what is missing.
 */
export async function* liveEvents<Data>(
  open: OpenStream,
  options: StreamOptions,
  silenceMs = SILENCE_MS,
): AsyncGenerator<StreamEvent<Data>> {
  const place = placeOf(options.lastEventId)
  for (let failures = 0; !options.signal?.aborted; ) {
    const connection = connectionOf(options.signal, silenceMs)
    let asked = 0
    try {
      const response = await open(place.last(), connection.signal)
      place.open(response)
      failures = 0
      const onLine = () => {
        connection.heard()
        place.alive()
      }
      if (response.body)
        for await (const event of eventsOf<Data>(response.body, onLine)) {
          if (!place.take(event.id)) continue
          // While the caller works on it nothing is read, and nothing heard.
          connection.end()
          yield event
          connection.heard()
        }
    } catch (error) {
      if (options.signal?.aborted) return
      requirePassing(error)
      asked = (error instanceof StentorError && error.retryAfterMs) || 0
    } finally {
      connection.end()
    }
    failures++
    await delay(Math.max(asked, backoff(failures, PAUSES)), options.signal).catch(() => undefined)
  }
}
