import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { readPreferredWaitSeconds } from '../../../http/resource/prefer.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../workflow-paths.ts'
import { workflowRefusals, workflowWriteRefusals } from '../workflow-schemas.ts'
import { loadTaskFiring, type StoredTaskFiring, startTaskFiring, type WorkflowTaskKey } from './start-firing.ts'

const routeTags = ['workflows']
const TASK_PATH = `${WORKFLOWS_PATH}/:id/tasks/:uuid`

/** An execution is waited for so long. */
const MAX_WAIT_MS = 2000
const POLL_MS = 25

const TaskParams = Type.Object({ id: Type.String(), uuid: Type.String() })
const FiringParams = Type.Object({ id: Type.String(), uuid: Type.String(), firing: Type.String() })

const ExecutionBody = nullableSchema(
  Type.Object({
    limit: Type.Optional(
      nullableSchema(Type.Integer({ minimum: 1, maximum: MAX_INT32, description: 'first rows only' })),
    ),
  }),
)
type ExecutionBody = Static<typeof ExecutionBody> | undefined

const executionMembers = {
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  task: Type.String({ description: 'the task that starts runs' }),
  state: Type.Enum(['running', 'completed', 'failed'], { description: 'where it stands on its way' }),
  count: Type.Integer({ description: 'runs that were started so far' }),
}
const ExecutionSchema = Type.Object(executionMembers)
const FiringSchema = Type.Object({
  ...executionMembers,
  rows: Type.Integer({ description: 'rows that were read so far' }),
  skipped: Type.Integer({ description: 'rows of contacts that are not known' }),
  refused: Type.Integer({ description: 'rows that could not start a run' }),
  reason: nullableSchema(Type.String({ description: 'why it failed' })),
  start: Type.String({ format: 'date-time', description: 'the start of the time, inclusive' }),
  end: nullableSchema(Type.String({ format: 'date-time', description: 'the end of the time, exclusive' })),
})

function showExecution({ id, task, state, started }: StoredTaskFiring): Static<typeof ExecutionSchema> {
  return { id, task, state, count: started }
}

function showFiring(firing: StoredTaskFiring): Static<typeof FiringSchema> {
  const { rows, skipped, refused, reason, startedAt, endedAt } = firing
  return {
    ...showExecution(firing),
    rows,
    skipped,
    refused,
    reason,
    start: startedAt.toISOString(),
    end: endedAt?.toISOString() ?? null,
  }
}

/** The task that a path names. Throws notFound for what names no workflow. */
function readTaskKey(request: FastifyRequest): WorkflowTaskKey {
  const { account, id: workflow } = readWorkflowKey(request)
  const { uuid } = request.params as { uuid: string }
  return { account, workflow, task: uuid }
}

/** Waits until a firing has ended, for a while; gives it as it is then. */
async function waitForFiring(
  { db }: ServiceContext,
  key: WorkflowTaskKey,
  id: string,
  waitMs: number,
): Promise<StoredTaskFiring> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const firing = await loadTaskFiring(db, key, id)
    const remainingMs = deadline - performance.now()
    if (firing.state !== 'running' || remainingMs <= 0) return firing
    await delay(Math.min(remainingMs, POLL_MS))
  }
}

/** Executions of tasks, on demand. */
export function workflowTaskRoutes(app: HttpApp, context: ServiceContext): void {
  app.post(`${TASK_PATH}/execution`, {
    config: { right: 'send', audit: AUDIT_EXEMPTIONS.execution },
    schema: {
      tags: routeTags,
      summary: 'execute a task of a workflow',
      refusals: workflowWriteRefusals,
      description: 'Answers when all runs are started, or after 2 seconds.',
      params: TaskParams,
      body: Type.Optional(ExecutionBody),
      response: { 200: ExecutionSchema },
    },
    handler: async (request) => {
      const key = readTaskKey(request)
      const limit = (request.body as ExecutionBody)?.limit ?? null
      const id = await startTaskFiring(context, key, limit)
      const waitMs = Math.min((readPreferredWaitSeconds(request) ?? Number.POSITIVE_INFINITY) * 1000, MAX_WAIT_MS)
      return showExecution(await waitForFiring(context, key, id, waitMs))
    },
  })
  app.get(`${TASK_PATH}/executions/:firing`, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'read an execution of a task',
      refusals: workflowRefusals,
      params: FiringParams,
      response: { 200: FiringSchema },
    },
    handler: async (request) => {
      const { firing } = request.params
      const id = parseUuid(firing)
      if (id === undefined) throw notFoundProblem('execution', firing)
      return showFiring(await loadTaskFiring(context.db, readTaskKey(request), id))
    },
  })
}
