import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { listCampaignSummaries, readCampaignResults } from './campaign-results.ts'
import { CampaignResults, CampaignSummary } from './campaign-results-schemas.ts'

const tags = ['campaigns']
const readConfig = { right: 'read' } as const

/** Routes for the results of campaign items of all channels. */
export function campaignResultRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/campaigns/results', {
    config: readConfig,
    schema: {
      tags,
      summary: 'results of every campaign that has items, in a line each',
      response: { 200: Type.Array(CampaignSummary) },
    },
    handler: ({ account }) => listCampaignSummaries(db, account),
  })
  app.get('/campaigns/:id/results', {
    config: readConfig,
    schema: {
      tags,
      summary: 'the items of a campaign with their states and results',
      params: Type.Object({ id: Type.String() }),
      response: { 200: CampaignResults },
    },
    handler: ({ account, params }) => {
      const id = parseUuid(params.id)
      if (id === undefined) throw notFoundProblem('campaign', params.id)
      return readCampaignResults(db, account, id)
    },
  })
}
