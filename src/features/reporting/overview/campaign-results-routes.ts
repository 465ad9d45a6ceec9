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
      summary: 'List the results of all campaigns',
      description: 'Returns one entry for each campaign that has items, with the totals of its items.',
      response: { 200: Type.Array(CampaignSummary) },
    },
    handler: ({ account }) => listCampaignSummaries(db, account),
  })
  app.get('/campaigns/:id/results', {
    config: readConfig,
    schema: {
      tags,
      summary: 'Get the results of a campaign',
      description:
        'Returns the items of the campaign, each with its state and results, and their totals. Messages of ' +
        'a workflow are counted by its actions.',
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
