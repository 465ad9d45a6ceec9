import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { HttpApp } from '../../../src/http/app-type.ts'

/** A request that was answered as it should be, as `scripts/examples.ts` reads it. */
export interface Recorded {
  method: string
  /** The pattern of the route, as Fastify has it. */
  route: string
  url: string
  status: number
  /** The media type and the body of the request, where it has one of JSON. */
  request?: { type: string; body: unknown }
  answer?: unknown
}

/** The folder that examples are written to, where one is given. */
const folder = process.env['STENTOR_TEST_EXAMPLES']

/** Characters that an example has at most. */
const MOST = 6000
/** Of one operation and one process. */
const EACH = 8

const isJson = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

const mediaOf = (header: unknown): string => String(header ?? '').split(';', 1)[0]!

/** A stream that passes on what it reads, and says all of it at its end: undefined when it is too long for an example. */
async function* listened(stream: Readable, end: (text: string | undefined) => void): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size < MOST) chunks.push(bytes)
    yield bytes
  }
  end(size < MOST ? Buffer.concat(chunks).toString() : undefined)
}

/** Writes what operations read and answer to the folder of `STENTOR_TEST_EXAMPLES`, a file for each process. */
export function recordExamples(app: HttpApp): void {
  if (folder === undefined) return
  const counts = new Map<string, number>()
  app.addHook('onSend', async (request, reply, payload) => {
    const { method, url, body, routeOptions } = request
    const route = routeOptions.url
    if (route === undefined || reply.statusCode >= 300 || method === 'HEAD') return payload
    const name = `${method} ${route}`
    const type = mediaOf(request.headers['content-type'])
    const record = (text: string | undefined): void => {
      const count = counts.get(name) ?? 0
      if (count >= EACH) return
      const recorded: Recorded = {
        method,
        route,
        url,
        status: reply.statusCode,
        ...(isJson(type) && typeof body === 'object' && { request: { type, body } }),
        ...(text && text !== 'null' && text !== '[]' && text.length < MOST && { answer: JSON.parse(text) }),
      }
      const line = JSON.stringify(recorded)
      if (line.length > 2 * MOST) return
      counts.set(name, count + 1)
      appendFileSync(join(folder, `${process.pid}.ndjson`), `${line}\n`)
    }
    if (mediaOf(reply.getHeader('content-type')) !== 'application/json') record(undefined)
    else if (payload instanceof Readable) return Readable.from(listened(payload, record), { objectMode: false })
    else record(typeof payload === 'string' ? payload : undefined)
    return payload
  })
}
