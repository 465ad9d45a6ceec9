import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { readUuid } from '../../../lib/ids.ts'
import { campaignLines, campaignResults } from './campaign-results.ts'
import { CampaignLine, CampaignResults } from './campaign-results-schemas.ts'

const tags = ['campaigns']
const config = { right: 'read' } as const

/** What the items of campaigns came to, whatever their channels. */
export function campaignResultRoutes(app: App, { db }: Context): void {
  app.get('/campaigns/results', {
    config,
    schema: {
      tags,
      summary: 'results of every campaign that has items, in a line each',
      response: { 200: Type.Array(CampaignLine) },
    },
    handler: ({ account }) => campaignLines(db, account),
  })
  app.get('/campaigns/:id/results', {
    config,
    schema: {
      tags,
      summary: 'the items of a campaign with their states and results',
      params: Type.Object({ id: Type.String() }),
      response: { 200: CampaignResults },
    },
    handler: ({ account, params }) => {
      const id = readUuid(params.id)
      if (id === undefined) throw notFound('campaign', params.id)
      return campaignResults(db, account, id)
    },
  })
}
