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
      nullableSchema(
        Type.Integer({
          minimum: 1,
          maximum: MAX_INT32,
          description: 'Only the first rows of the provider, up to this number. Null or absent: all rows.',
        }),
      ),
    ),
  }),
)
type ExecutionBody = Static<typeof ExecutionBody> | undefined

const executionMembers = {
  id: Type.String({ format: 'uuid', description: 'ID of the firing.' }),
  task: Type.String({ description: 'ID of the task.' }),
  state: Type.Enum(['running', 'completed', 'failed'], {
    description:
      '`running`: rows are still being read. `completed`: all rows are read. `failed`: the firing stopped with an error.',
  }),
  count: Type.Integer({ description: 'Number of runs started so far.' }),
}
const ExecutionSchema = Type.Object(executionMembers)
const FiringSchema = Type.Object({
  ...executionMembers,
  rows: Type.Integer({ description: 'Number of rows read so far.' }),
  skipped: Type.Integer({ description: 'Number of rows skipped because their contact is unknown.' }),
  refused: Type.Integer({ description: 'Number of rows whose start was refused.' }),
  reason: nullableSchema(Type.String({ description: 'Reason for the failure. Null: none.' })),
  start: Type.String({ format: 'date-time', description: 'Time of the start, in UTC.' }),
  end: nullableSchema(
    Type.String({ format: 'date-time', description: 'Time of the end, in UTC. Null: still running.' }),
  ),
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
      summary: 'Execute a task of a workflow',
      refusals: workflowWriteRefusals,
      description:
        'Fires the task once, whether it is enabled or not, and returns when all its runs are started or after 2 seconds at the latest. `Prefer: wait` shortens the wait. Refused with 409 if the workflow is inactive, or while another firing of the task reads rows.',
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
      summary: 'Get an execution of a task',
      description: 'Returns one firing of the task with its counts so far, whether a request or a scheduler caused it.',
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
