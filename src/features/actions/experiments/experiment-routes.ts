import type { FastifyRequest } from 'fastify'
import { type ActionFamily, actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb } from '../../../http/resource/audit-requests.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { loadAction } from '../resource/action-repository.ts'
import { ActionParams, parseFamilyActionRef } from '../resource/ids.ts'
import { decideActionTransition } from '../resource/states.ts'
import { decideExperiment } from './decision.ts'
import { ExperimentDecisionBody, ExperimentResult } from './experiment-schemas.ts'
import { readExperimentResult } from './result.ts'

interface ActionResource {
  family: ActionFamily
  path: string
  tag: string
}

const ACTION_RESOURCES: readonly ActionResource[] = [
  { family: actionFamilies.action, path: '/actions', tag: 'actions' },
  { family: actionFamilies.rcs, path: '/channel/rcs/actions', tag: 'RCS actions' },
]

function registerResourceRoutes(
  app: HttpApp,
  { db, clock }: ServiceContext,
  { family, path, tag }: ActionResource,
): void {
  const parseRef = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) =>
    parseFamilyActionRef(family, account, params.id)
  app.get(`${path}/:id/experiment`, {
    config: { right: 'read' },
    schema: {
      tags: [tag],
      summary: `Get the experiment of an ${family.title}`,
      description:
        'Returns the state and results of the A/B test of a campaign. The figures follow the events, and are final an hour after the time of every contact has passed. An action without an experiment is 404.',
      params: ActionParams,
      response: { 200: ExperimentResult },
    },
    handler: async (request) => {
      const action = await loadAction(db, parseRef(request))
      decideActionTransition('read', action)
      const result = await readExperimentResult(db, action, new Date(clock.now()))
      if (!result) throw notFoundProblem('experiment', request.params.id)
      return result
    },
  })
  app.post(`${path}/:id/experiment/decision`, {
    config: { right: 'send', audit: { object: family.sourceKind } },
    schema: {
      tags: [tag],
      summary: `Choose a version for an ${family.title}`,
      description:
        'Sends a version to the rest of the audience of the campaign, also before the measurement ends, and returns the result. Refused with 409 if the experiment is already decided, or if no contacts wait for a decision.',
      refusals: { 403: 'approval-required', 409: 'experiment-decided experiment-missing experiment-not-waiting' },
      params: ActionParams,
      body: ExperimentDecisionBody,
      response: { 200: ExperimentResult },
    },
    handler: (request) => {
      const { version } = request.body
      const auditedDb = createAuditedDb(request, db, { said: { version } })
      return decideExperiment(auditedDb, parseRef(request), version, new Date(clock.now()))
    },
  })
}

/** Experiments of campaigns, of every family. */
export function experimentRoutes(app: HttpApp, context: ServiceContext): void {
  for (const resource of ACTION_RESOURCES) registerResourceRoutes(app, context, resource)
}
