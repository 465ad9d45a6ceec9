import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { readIntId } from '../../../lib/ids.ts'
import { contactGrowth, segmentGrowth } from './growth.ts'
import { GrowthDay, GrowthQuery } from './growth-schemas.ts'

const config = { right: 'read' } as const
const response = { 200: Type.Array(GrowthDay) }
const description =
  'A job counts once a day, after midnight: days before the first count, or while the service was down, are absent.'

/** How contacts and segments grow. */
export function growthRoutes(app: App, { db, clock }: Context): void {
  app.get('/targets/growth', {
    config,
    schema: {
      tags: ['targets'],
      summary: 'how many contacts there were, day by day, today so far included',
      description,
      querystring: GrowthQuery,
      response,
    },
    handler: ({ account, query }) => contactGrowth(db, account, query, clock.now()),
  })
  app.get('/segments/:id/growth', {
    config,
    schema: {
      tags: ['segments'],
      summary: 'how many members a segment had, day by day',
      description: `${description} Expired segments are not counted.`,
      params: Type.Object({ id: Type.String() }),
      querystring: GrowthQuery,
      response,
    },
    handler: ({ account, params, query }) => {
      const segment = readIntId(params.id)
      if (segment === undefined) throw notFound('segment', params.id)
      return segmentGrowth(db, { account, segment }, query, clock.now())
    },
  })
}
