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
  {
    low: Type.Number({ description: 'Lower bound of the rate.' }),
    high: Type.Number({ description: 'Upper bound of the rate.' }),
  },
  { description: 'Interval that contains the true rate with a probability of 95%.' },
)
const branchCountMembers = {
  visits: Type.Integer({ description: 'Number of visits.' }),
  counted: Type.Integer({ description: 'Number of visits old enough for the period of the metric.' }),
  conversions: Type.Integer({ description: 'Number of counted visits that converted.' }),
  rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Conversions divided by counted visits, from 0 to 1. Null: no counted visit.',
  }),
  interval: IntervalSchema,
}

const ExperimentSchema = Type.Object({
  method: Type.Enum(['fixed', 'bandit'], {
    description: '`fixed`: equal shares until one branch is best. `bandit`: shares follow the results.',
  }),
  branches: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the branch.' }),
      ...branchCountMembers,
      probability: Type.Number({ description: 'Probability that the branch is the best, from 0 to 1.' }),
      share: Type.Union([Type.Number(), Type.Null()], {
        description: 'Share of the visits, from 0 to 1. Null: method `fixed`.',
      }),
    }),
    { description: 'Results by branch.' },
  ),
  holdout: Type.Object(branchCountMembers, { description: 'Results of the held-out contacts, for comparison.' }),
  winner: Type.Union(
    [
      Type.Object({
        branch: Type.String({ description: 'ID of the branch.' }),
        since: Type.String({ format: 'date-time', description: 'Time of the decision, in UTC.' }),
        probability: Type.Number({
          description: 'Probability that the branch is the best, at the time of the decision.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Winning branch. Null: none yet, or method `bandit`.' },
  ),
  computed: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Time of the last computation, in UTC. Null: none so far.',
  }),
})

/** Routes for the results of workflow experiments. */
export function workflowExperimentRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get(`${WORKFLOWS_PATH}/:id/nodes/:node/experiment`, {
    config: { right: 'read' },
    schema: {
      tags: ['workflows'],
      summary: 'Get the results of an experiment',
      refusals: workflowRefusals,
      description:
        'Returns visits, conversions and conversion rates for each branch of an `experiment` node and for the holdout, and the winner. Counts cover all versions of the workflow; a changed metric or period starts new counts. Returns 404 if the node is not an experiment with a metric and branches.',
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
