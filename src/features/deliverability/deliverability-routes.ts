import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { readDestinationTable } from '../../gateways/smtp-direct/destinations-file.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { parseTimePeriod } from '../../lib/time/period.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { listDomainWarmUps, listMailDestinations } from './deliverability.ts'
import { DeliverabilityReport } from './deliverability-schemas.ts'
import type { SentMailSpan } from './sent-quarters.ts'

const DEFAULT_DAYS = 7
const MAX_DAYS = 31

/** The span that a query names: the last seven days where it says nothing. Throws 400 beyond 31 days. */
function parseReportSpan(query: { start?: string; end?: string }, now: number): SentMailSpan {
  const period = parseTimePeriod(query)
  const end = period.end ?? Math.max(now, (period.start ?? 0) + 1)
  const start = period.start ?? end - DEFAULT_DAYS * DAY_MS
  if (end - start > MAX_DAYS * DAY_MS)
    throw badRequestProblem('start', `must be at most ${MAX_DAYS} days before the end`)
  return { start, end }
}

/** Routes for the results of mail by destination. */
export function deliverabilityApiRoutes(app: HttpApp, { db, clock, config }: ServiceContext): void {
  const { warmUp: schedule } = readDestinationTable(config.destinationsFile)
  app.get('/deliverability', {
    config: { right: 'read' },
    schema: {
      tags: ['deliverability'],
      summary: 'Get the deliverability report',
      description:
        'Returns the results of email by destination in a period: accepted and refused messages, bounces ' +
        'and complaints, with rates, and the warm-ups of sending domains. Bounces and complaints count in ' +
        'the period in which they are reported. A period of more than 31 days is refused with 400.',
      querystring: Type.Object({
        start: Type.Optional(
          Type.String({ description: 'Start of the period, inclusive. Default: 7 days before the end.' }),
        ),
        end: Type.Optional(
          Type.String({ description: 'End of the period, exclusive, at most 31 days after the start. Default: now.' }),
        ),
      }),
      response: { 200: DeliverabilityReport },
    },
    handler: async ({ account, query }) => {
      const now = clock.now()
      const span = parseReportSpan(query, now)
      const [destinations, warmUps] = await Promise.all([
        listMailDestinations(db, account, span),
        listDomainWarmUps(db, account, { now, schedule }),
      ])
      const [start, end] = [new Date(span.start).toISOString(), new Date(span.end).toISOString()]
      return { start, end, destinations, warmUps }
    },
  })
}
