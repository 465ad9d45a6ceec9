import type { FastifyRequest } from 'fastify'
import { type Family, families } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { told } from '../../../http/resource/audit.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { loadAction } from '../resource/action-repository.ts'
import { ActionParams, refIn } from '../resource/ids.ts'
import { decide } from '../resource/states.ts'
import { decideExperiment } from './decision.ts'
import { DecisionBody, ExperimentResult } from './experiment-schemas.ts'
import { readExperiment } from './result.ts'

interface Resource {
  family: Family
  path: string
  tag: string
}

const resources: readonly Resource[] = [
  { family: families.action, path: '/actions', tag: 'actions' },
  { family: families.rcs, path: '/channel/rcs/actions', tag: 'RCS actions' },
]

function routesOf(app: App, { db, clock }: Context, { family, path, tag }: Resource): void {
  const refOf = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) => refIn(family, account, params.id)
  app.get(`${path}/:id/experiment`, {
    config: { right: 'read' },
    schema: {
      tags: [tag],
      summary: 'how the experiment of a campaign stands, and what it has found',
      params: ActionParams,
      response: { 200: ExperimentResult },
    },
    handler: async (request) => {
      const action = await loadAction(db, refOf(request))
      decide('read', action)
      const result = await readExperiment(db, action, new Date(clock.now()))
      if (!result) throw notFound('experiment', request.params.id)
      return result
    },
  })
  app.post(`${path}/:id/experiment/decision`, {
    config: { right: 'send', audit: { object: family.sourceKind } },
    schema: {
      tags: [tag],
      summary: 'send a version of an experiment to the rest of the audience',
      params: ActionParams,
      body: DecisionBody,
      response: { 200: ExperimentResult },
    },
    handler: (request) => {
      const { version } = request.body
      const handle = told(request, db, { said: { version } })
      return decideExperiment(handle, refOf(request), version, new Date(clock.now()))
    },
  })
}

/** Experiments of campaigns, of every family. */
export function experimentRoutes(app: App, context: Context): void {
  for (const resource of resources) routesOf(app, context, resource)
}
