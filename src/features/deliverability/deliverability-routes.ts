import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { readDestinations } from '../../gateways/smtp-direct/destinations-file.ts'
import type { App } from '../../http/app-type.ts'
import { badRequest } from '../../lib/errors/problem.ts'
import { readPeriod } from '../../lib/time/period.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { listDestinations, listWarmUps } from './deliverability.ts'
import { Deliverability } from './deliverability-schemas.ts'
import type { Span } from './sent-quarters.ts'

const DEFAULT_DAYS = 7
const MAX_DAYS = 31

/** The span that a query names: the last seven days where it says nothing. Throws 400 beyond 31 days. */
function spanOf(query: { start?: string; end?: string }, now: number): Span {
  const period = readPeriod(query)
  const end = period.end ?? Math.max(now, (period.start ?? 0) + 1)
  const start = period.start ?? end - DEFAULT_DAYS * DAY_MS
  if (end - start > MAX_DAYS * DAY_MS) throw badRequest('start', `must be at most ${MAX_DAYS} days before the end`)
  return { start, end }
}

/** How mail fares with those who take it. */
export function deliverabilityRoutes(app: App, { db, clock, config }: Context): void {
  const { warmUp: schedule } = readDestinations(config.destinationsFile)
  app.get('/deliverability', {
    config: { right: 'read' },
    schema: {
      tags: ['deliverability'],
      summary: 'read how mail fares, by destination',
      querystring: Type.Object({
        start: Type.Optional(Type.String({ description: 'inclusive; seven days before the end by default' })),
        end: Type.Optional(Type.String({ description: 'exclusive; now by default; at most 31 days after the start' })),
      }),
      response: { 200: Deliverability },
    },
    handler: async ({ account, query }) => {
      const now = clock.now()
      const span = spanOf(query, now)
      const [destinations, warmUps] = await Promise.all([
        listDestinations(db, account, span),
        listWarmUps(db, account, { now, schedule }),
      ])
      const [start, end] = [new Date(span.start).toISOString(), new Date(span.end).toISOString()]
      return { start, end, destinations, warmUps }
    },
  })
}
