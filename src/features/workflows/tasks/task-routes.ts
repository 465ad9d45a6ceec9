import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import { preferredWait } from '../../../http/resource/prefer.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { readUuid } from '../../../lib/ids.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { WORKFLOWS, workflowKey } from '../paths.ts'
import { loadFiring, type StoredFiring, startFiring, type TaskKey } from './demands.ts'

const tags = ['workflows']
const TASK = `${WORKFLOWS}/:id/tasks/:uuid`

/** An execution is waited for so long. */
const WAIT_MS = 2000
const POLL_MS = 25

const TaskParams = Type.Object({ id: Type.String(), uuid: Type.String() })
const FiringParams = Type.Object({ id: Type.String(), uuid: Type.String(), firing: Type.String() })

const ExecutionBody = nullable(
  Type.Object({
    limit: Type.Optional(
      nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'first rows only' })),
    ),
  }),
)
type ExecutionBody = Static<typeof ExecutionBody> | undefined

const shown = {
  id: Type.String({ format: 'uuid' }),
  task: Type.String(),
  state: Type.Enum(['running', 'completed', 'failed']),
  count: Type.Integer({ description: 'runs that were started so far' }),
}
const ShownExecution = Type.Object(shown)
const ShownFiring = Type.Object({
  ...shown,
  rows: Type.Integer({ description: 'rows that were read so far' }),
  skipped: Type.Integer({ description: 'rows of contacts that are not known' }),
  refused: Type.Integer({ description: 'rows that could not start a run' }),
  reason: nullable(Type.String({ description: 'why it failed' })),
  start: Type.String({ format: 'date-time' }),
  end: nullable(Type.String({ format: 'date-time' })),
})

function showExecution({ id, task, state, started }: StoredFiring): Static<typeof ShownExecution> {
  return { id, task, state, count: started }
}

function showFiring(firing: StoredFiring): Static<typeof ShownFiring> {
  const { rows, skipped, refused, reason, startedAt, endedAt } = firing
  return {
    ...showExecution(firing),
    ...{ rows, skipped, refused, reason },
    start: startedAt.toISOString(),
    end: endedAt?.toISOString() ?? null,
  }
}

/** The task that a path names. Throws notFound for what names no workflow. */
function taskKey(request: FastifyRequest): TaskKey {
  const { account, id: workflow } = workflowKey(request)
  const { uuid } = request.params as { uuid: string }
  return { account, workflow, task: uuid }
}

/** Waits until a firing has ended, for a while; gives it as it is then. */
async function waited({ db }: Context, key: TaskKey, id: string, waitMs: number): Promise<StoredFiring> {
  const end = performance.now() + waitMs
  for (;;) {
    const firing = await loadFiring(db, key, id)
    const left = end - performance.now()
    if (firing.state !== 'running' || left <= 0) return firing
    await delay(Math.min(left, POLL_MS))
  }
}

/** Executions of tasks, on demand. */
export function workflowTaskRoutes(app: App, context: Context): void {
  app.post(`${TASK}/execution`, {
    config: { right: 'send', audit: UNTOLD.execution },
    schema: {
      tags,
      summary: 'execute a task of a workflow',
      description: 'Answers when all runs are started, or after 2 seconds.',
      params: TaskParams,
      body: Type.Optional(ExecutionBody),
      response: { 200: ShownExecution },
    },
    handler: async (request) => {
      const key = taskKey(request)
      const limit = (request.body as ExecutionBody)?.limit ?? null
      const id = await startFiring(context, key, limit)
      const waitMs = Math.min((preferredWait(request) ?? Number.POSITIVE_INFINITY) * 1000, WAIT_MS)
      return showExecution(await waited(context, key, id, waitMs))
    },
  })
  app.get(`${TASK}/executions/:firing`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'read an execution of a task',
      params: FiringParams,
      response: { 200: ShownFiring },
    },
    handler: async (request) => {
      const { firing } = request.params
      const id = readUuid(firing)
      if (id === undefined) throw notFound('execution', firing)
      return showFiring(await loadFiring(context.db, taskKey(request), id))
    },
  })
}
