import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT } from '../../../http/middleware/parsing.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import { sent } from '../../../http/resource/list.ts'
import { readRecipients } from '../../script-host/receivers.ts'
import { engineOf } from '../engine/engine.ts'
import { WORKFLOWS, workflowKey } from '../paths.ts'
import { createSimulateItems } from '../simulation/debug-items.ts'
import { WorkflowParams } from '../workflow-schemas.ts'
import { ExecutionItem, ExecutionItems, ExecutionResult } from './execution-schemas.ts'
import { executeWorkflow } from './start-executions.ts'

const accepts = ['application/vnd.np6.cm.workflow-v4', 'application/vnd.np6.cm.workflow']
const tags = ['workflows']

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

/** Runs on demand: started, made to go on, or only tried. */
export function workflowExecutionRoutes(app: App, context: Context): void {
  const engine = engineOf(context)
  const simulate = createSimulateItems(engine)
  const common = {
    ...{ bodyLimit: LARGE_BODY_LIMIT, preValidation: readRecipients },
    config: { right: 'send', accepts, audit: UNTOLD.execution },
  } as const
  app.post(`${WORKFLOWS}/:id/execution`, {
    ...common,
    schema: {
      tags,
      summary: 'start a run of a workflow, or have one go on',
      params: WorkflowParams,
      body: ExecutionItem,
      response: { 200: sent(ExecutionResult) },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body], isList: false }
      const [result] = await executeWorkflow(engine, workflowKey(request), asked, simulate)
      return answer(reply, result)
    },
  })
  app.post(`${WORKFLOWS}/:id/executions`, {
    ...common,
    schema: {
      tags,
      summary: 'start many runs of a workflow, or have them go on',
      params: WorkflowParams,
      body: ExecutionItems,
      response: { 200: sent(Type.Array(ExecutionResult)) },
    },
    handler: async (request, reply) => {
      const asked = { items: request.body, isList: true }
      return answer(reply, await executeWorkflow(engine, workflowKey(request), asked, simulate))
    },
  })
}
