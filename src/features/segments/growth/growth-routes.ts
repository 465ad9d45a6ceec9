import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { readContactGrowth, readSegmentGrowth } from './growth.ts'
import { AudienceGrowthDay, AudienceGrowthQuery } from './growth-schemas.ts'

const readConfig = { right: 'read' } as const
const growthResponse = { 200: Type.Array(AudienceGrowthDay) }
const GROWTH_DESCRIPTION =
  'A job counts once a day after midnight; days before the first count, and days without a count, are absent.'

/** Routes of the growth of contacts and segments. */
export function audienceGrowthRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/targets/growth', {
    config: readConfig,
    schema: {
      tags: ['targets'],
      summary: 'Get the growth of contacts',
      operationId: 'getTargetGrowth',
      description: `Returns the number of contacts per day, with the contacts gained and lost; today is counted up to now. ${GROWTH_DESCRIPTION}`,
      querystring: AudienceGrowthQuery,
      response: growthResponse,
    },
    handler: ({ account, query }) => readContactGrowth(db, account, query, clock.now()),
  })
  app.get('/segments/:id/growth', {
    config: readConfig,
    schema: {
      tags: ['segments'],
      summary: 'Get the growth of a segment',
      operationId: 'getSegmentGrowth',
      description: `Returns the number of members per day, with the members gained and lost. ${GROWTH_DESCRIPTION} Expired segments are not counted.`,
      params: Type.Object({ id: Type.String() }),
      querystring: AudienceGrowthQuery,
      response: growthResponse,
    },
    handler: ({ account, params, query }) => {
      const segment = parseInt32Id(params.id)
      if (segment === undefined) throw notFoundProblem('segment', params.id)
      return readSegmentGrowth(db, { account, segment }, query, clock.now())
    },
  })
}
