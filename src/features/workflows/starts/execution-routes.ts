import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer } from '../../../http/resource/list.ts'
import { renameRecipients } from '../../script-host/receivers.ts'
import { findWorkflowEngine } from '../engine/engine.ts'
import { createItemSimulator } from '../simulation/debug-items.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../workflow-paths.ts'
import { WorkflowParams, workflowWriteRefusals } from '../workflow-schemas.ts'
import { WorkflowExecutionItem, WorkflowExecutionItems, WorkflowExecutionResult } from './execution-schemas.ts'
import { executeWorkflowItems } from './start-executions.ts'

const ACCEPTED_MEDIA_TYPES = ['application/vnd.np6.cm.workflow-v4', 'application/vnd.np6.cm.workflow']
const routeTags = ['workflows']

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function sendResults(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/** Runs on demand: started, made to go on, or only tried. */
export function workflowExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  const engine = findWorkflowEngine(context)
  const simulateItems = createItemSimulator(engine)
  const routeOptions = {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    preValidation: renameRecipients,
    config: { right: 'send', accepts: ACCEPTED_MEDIA_TYPES, audit: AUDIT_EXEMPTIONS.execution },
  } as const
  app.post(`${WORKFLOWS_PATH}/:id/execution`, {
    ...routeOptions,
    schema: {
      tags: routeTags,
      summary: 'Start or resume a run of a workflow',
      description:
        'Stores a new run, or satisfies waits of the open run named by `id` or moves it to `node`. The answer comes once the run is stored; its first node follows shortly afterwards. A repeated `stamp.id` returns the first run. Refused with 409 if the workflow is inactive, unless the item has `debug`.',
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      body: WorkflowExecutionItem,
      response: { 200: declareStreamedAnswer(WorkflowExecutionResult) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: [request.body], isList: false }
      const [result] = await executeWorkflowItems(engine, readWorkflowKey(request), executionRequest, simulateItems)
      return sendResults(reply, result)
    },
  })
  app.post(`${WORKFLOWS_PATH}/:id/executions`, {
    ...routeOptions,
    schema: {
      tags: routeTags,
      summary: 'Start or resume up to 1,000 runs',
      description:
        'Each item starts or resumes a run as in a single execution. Results come in the order of the items; an item that fails does not affect the others. An invalid request or an inactive workflow (409) starts nothing.',
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      body: WorkflowExecutionItems,
      response: { 200: declareStreamedAnswer(Type.Array(WorkflowExecutionResult)) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: request.body, isList: true }
      return sendResults(
        reply,
        await executeWorkflowItems(engine, readWorkflowKey(request), executionRequest, simulateItems),
      )
    },
  })
}
