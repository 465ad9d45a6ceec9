import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { experimentNode } from '../nodes/branch-nodes.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../workflow-paths.ts'
import { loadWorkflow } from '../workflow-repository.ts'
import { workflowRefusals } from '../workflow-schemas.ts'
import { type ExperimentSettings, fingerprintExperiment } from './experiment.ts'
import { readExperimentState } from './experiment-results.ts'

const IntervalSchema = Type.Object(
  { low: Type.Number({ description: 'its lower end' }), high: Type.Number({ description: 'its upper end' }) },
  { description: 'holds the rate with 95 %' },
)
const branchCountMembers = {
  visits: Type.Integer({ description: 'all of them' }),
  counted: Type.Integer({ description: 'old enough for the period of the metric' }),
  conversions: Type.Integer({ description: 'of those counted' }),
  rate: Type.Union([Type.Number(), Type.Null()], { description: 'a share of the whole, from 0 to 1' }),
  interval: IntervalSchema,
}

const ExperimentSchema = Type.Object({
  method: Type.Enum(['fixed', 'bandit'], {
    description: 'fixed: equal shares until one is the best; bandit: shares follow what branches come to',
  }),
  branches: Type.Array(
    Type.Object({
      id: Type.String({ description: 'what names it in this account' }),
      ...branchCountMembers,
      probability: Type.Number({ description: 'to be the best' }),
      share: Type.Union([Type.Number(), Type.Null()], { description: 'of a bandit: its part of the visits' }),
    }),
    { description: 'what each branch came to' },
  ),
  holdout: Type.Object(branchCountMembers, { description: 'those who get nothing, for comparison' }),
  winner: Type.Union(
    [
      Type.Object({
        branch: Type.String({ description: 'id of the branch' }),
        since: Type.String({ format: 'date-time', description: 'from when on, in UTC' }),
        probability: Type.Number({ description: 'when it was found' }),
      }),
      Type.Null(),
    ],
    { description: 'the branch that was found to be the best; null: none yet' },
  ),
  computed: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when it was counted last, in UTC; null: not yet',
  }),
})

/** Routes for the results of workflow experiments. */
export function workflowExperimentRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get(`${WORKFLOWS_PATH}/:id/nodes/:node/experiment`, {
    config: { right: 'read' },
    schema: {
      tags: ['workflows'],
      summary: 'what an experiment of a workflow has found',
      refusals: workflowRefusals,
      description: 'Counts go by metric and period: another one begins anew.',
      params: Type.Object({ id: Type.String(), node: Type.String() }),
      response: { 200: ExperimentSchema },
    },
    handler: async (request) => {
      const key = readWorkflowKey(request)
      const { definition } = await loadWorkflow(db, key)
      const { node: id } = request.params
      const node = definition.nodes.find(
        (candidateNode) => candidateNode.id === id && candidateNode.type === experimentNode.type,
      )
      const settings = node?.settings as unknown as ExperimentSettings | undefined
      if (!settings?.metric || !settings.branches) throw notFoundProblem('experiment', id)
      const { account, id: workflow } = key
      return readExperimentState(
        db,
        { account, workflow, node: id, fingerprint: fingerprintExperiment(settings) },
        settings,
      )
    },
  })
}
