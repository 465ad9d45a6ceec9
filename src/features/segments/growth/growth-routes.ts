import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { readContactGrowth, readSegmentGrowth } from './growth.ts'
import { AudienceGrowthDay, AudienceGrowthQuery } from './growth-schemas.ts'

const config = { right: 'read' } as const
const response = { 200: Type.Array(AudienceGrowthDay) }
const description =
  'A job counts once a day, after midnight: days before the first count, or while the service was down, are absent.'

/** How contacts and segments grow. */
export function audienceGrowthRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/targets/growth', {
    config,
    schema: {
      tags: ['targets'],
      summary: 'how many contacts there were, day by day, today so far included',
      description,
      querystring: AudienceGrowthQuery,
      response,
    },
    handler: ({ account, query }) => readContactGrowth(db, account, query, clock.now()),
  })
  app.get('/segments/:id/growth', {
    config,
    schema: {
      tags: ['segments'],
      summary: 'how many members a segment had, day by day',
      description: `${description} Expired segments are not counted.`,
      params: Type.Object({ id: Type.String() }),
      querystring: AudienceGrowthQuery,
      response,
    },
    handler: ({ account, params, query }) => {
      const segment = parseInt32Id(params.id)
      if (segment === undefined) throw notFoundProblem('segment', params.id)
      return readSegmentGrowth(db, { account, segment }, query, clock.now())
    },
  })
}
