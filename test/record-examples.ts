import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../src/http/app-type.ts'

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

/** Writes what operations read and answer to the folder of `STENTOR_TEST_EXAMPLES`, a file for each process. */
export function recordExamples(app: App): void {
  if (folder === undefined) return
  const counts = new Map<string, number>()
  app.addHook('onSend', async (request, reply, payload) => {
    const { method, url, body, routeOptions } = request
    const route = routeOptions.url
    if (route === undefined || reply.statusCode >= 300 || method === 'HEAD') return payload
    const count = counts.get(`${method} ${route}`) ?? 0
    if (count >= EACH) return payload
    const type = mediaOf(request.headers['content-type'])
    const isAnswered = typeof payload === 'string' && isJson(mediaOf(reply.getHeader('content-type')))
    const recorded: Recorded = {
      ...{ method, route, url, status: reply.statusCode },
      ...(isJson(type) && typeof body === 'object' && { request: { type, body } }),
      ...(isAnswered && payload !== '' && payload.length < MOST && { answer: JSON.parse(payload) }),
    }
    const line = JSON.stringify(recorded)
    if (line.length > 2 * MOST) return payload
    counts.set(`${method} ${route}`, count + 1)
    appendFileSync(join(folder, `${process.pid}.ndjson`), `${line}\n`)
    return payload
  })
}
