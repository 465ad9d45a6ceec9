import { type Static, Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, type ListPageRequest, sendList } from '../../../http/resource/list.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { parseWordList } from '../../../lib/text/word-list.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { findContacts } from '../../contacts/records/find.ts'
import { listPublishedEvents } from '../../notices/reading.ts'
import { findWorkflowEngine } from '../engine/engine.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from '../workflow-paths.ts'
import { workflowRefusals, workflowWriteRefusals } from '../workflow-schemas.ts'
import { killWorkflowRun, retryWorkflowRun } from './change-run.ts'
import {
  listWorkflowRuns,
  parseWorkflowRunCursor,
  readRunId,
  readWorkflowRun,
  requireWorkflow,
  toWorkflowRunCursor,
  type WorkflowRunCursor,
  type WorkflowRunFilter,
} from './read-runs.ts'
import {
  ListedWorkflowRun,
  PublishedEventQuery,
  PublishedRunEvent,
  WorkflowRun,
  WorkflowRunParams,
  WorkflowRunQuery,
  WorkflowStatistics,
  WorkflowStatisticsQuery,
  workflowRunStatuses,
} from './run-schemas.ts'
import { readWorkflowStatistics } from './workflow-statistics.ts'

const routeTags = ['workflows']
const WORKFLOW_PATH = `${WORKFLOWS_PATH}/:id`
const WorkflowParams = Type.Object({ id: Type.String() })

/** Finds the contact that a query names. Returns null if there is no such contact. */
async function findQueryContact(
  db: Db,
  account: AccountId,
  { contact, unicity, hash }: WorkflowRunQuery,
): Promise<number | null | undefined> {
  const contactLookups = [
    ...(contact === undefined ? [] : [{ type: 'id' as const, value: contact }]),
    ...(unicity === undefined ? [] : [{ type: 'unicity' as const, value: unicity }]),
    ...(hash === undefined ? [] : [{ type: 'hash' as const, value: hash }]),
  ]
  if (contactLookups.length === 0) return undefined
  if (contactLookups.length > 1)
    throw badRequestProblem('', 'At most one of "contact", "unicity" and "hash" can be given.')
  const [matchingContact] = await findContacts(db, account, contactLookups)
  return matchingContact?.id ?? null
}

async function parseRunFilter(db: Db, account: AccountId, query: WorkflowRunQuery): Promise<WorkflowRunFilter> {
  const { status, node, version, sort = 'asc' } = query
  const statuses = parseWordList('status', status, workflowRunStatuses)
  return {
    contact: await findQueryContact(db, account, query),
    statuses,
    node,
    version,
    ...parseTimePeriod(query),
    sort,
  }
}

function registerListRoute(app: HttpApp, { db }: ServiceContext): void {
  app.get(`${WORKFLOW_PATH}/runs`, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'List the runs of a workflow',
      refusals: workflowRefusals,
      description:
        'Returns runs by time of creation, without their data and trace. Ended runs are kept for 90 days, unless the installation sets another period.',
      params: WorkflowParams,
      querystring: WorkflowRunQuery,
      response: { 200: declareStreamedAnswer(Type.Array(ListedWorkflowRun)) },
    },
    handler: async (request, reply) => {
      const key = readWorkflowKey(request)
      await requireWorkflow(db, key)
      const filter = await parseRunFilter(db, request.account, request.query)
      const rows = (page: ListPageRequest<WorkflowRunCursor>) => listWorkflowRuns(db, key, filter, page)
      return sendList(request, reply, { rows, key: toWorkflowRunCursor, readKey: parseWorkflowRunCursor })
    },
  })
  app.get(`${WORKFLOW_PATH}/events`, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'List the events published by a workflow',
      operationId: 'listWorkflowEvents',
      refusals: workflowRefusals,
      description:
        'Returns the custom events that runs of the workflow published, by date. Events are kept for 90 days.',
      params: WorkflowParams,
      querystring: PublishedEventQuery,
      response: { 200: declareStreamedAnswer(Type.Array(PublishedRunEvent)) },
    },
    handler: async (request, reply) => {
      const key = readWorkflowKey(request)
      await requireWorkflow(db, key)
      const { sort = 'asc' } = request.query
      const period = parseTimePeriod(request.query)
      return sendList(request, reply, {
        rows: (page: ListPageRequest<string>) => listPublishedEvents(db, key, { ...period, sort }, page),
        key: ({ id }) => id,
        readKey: (value) => (typeof value === 'string' ? readRunId(value) : undefined),
      })
    },
  })
}

function registerRunRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  const { definitions } = findWorkflowEngine(context)
  const url = `${WORKFLOW_PATH}/runs/:run`
  app.get(url, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'Get a run of a workflow',
      description: 'Returns the run with its data and trace.',
      refusals: workflowRefusals,
      params: WorkflowRunParams,
      response: { 200: WorkflowRun },
    },
    handler: (request) => readWorkflowRun(db, readWorkflowKey(request), readRunId(request.params.run)),
  })
  app.delete(url, {
    config: { right: ['write', 'send'], rightOfPeople: 'send', audit: { object: 'workflow-run', id: 'run' } },
    schema: {
      tags: routeTags,
      summary: 'Kill a run of a workflow',
      description: 'Ends the open run as `killed`; it has no effect afterwards. Refused with 409 if the run has ended.',
      operationId: 'killWorkflowRun',
      refusals: workflowWriteRefusals,
      params: WorkflowRunParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const auditedContext = { ...context, db: createAuditedDb(request, db, { said: { workflow: request.params.id } }) }
      await killWorkflowRun(auditedContext, readWorkflowKey(request), readRunId(request.params.run))
      return reply.code(204).send(null)
    },
  })
  app.post(`${url}/retry`, {
    config: { right: 'send', audit: { object: 'workflow-run', id: 'run' } },
    schema: {
      tags: routeTags,
      summary: 'Retry a failed run of a workflow',
      refusals: workflowWriteRefusals,
      description:
        'The run continues at the node where it failed, as a new visit. Refused with 409 if the run has not failed, or if its version is no longer kept.',
      params: WorkflowRunParams,
      response: { 200: WorkflowRun },
    },
    handler: async (request) => {
      const [key, runId] = [readWorkflowKey(request), readRunId(request.params.run)]
      const auditedDb = createAuditedDb(request, db, { said: { workflow: request.params.id } })
      await retryWorkflowRun({ ...context, db: auditedDb, definitions }, key, runId)
      return readWorkflowRun(db, key, runId)
    },
  })
}

/** Runs of workflows, what was counted of them, and what they have published. */
export function workflowRunRoutes(app: HttpApp, context: ServiceContext): void {
  registerListRoute(app, context)
  registerRunRoutes(app, context)
  app.get(`${WORKFLOW_PATH}/statistics`, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'Get the statistics of a workflow',
      refusals: workflowRefusals,
      description:
        'Returns counts of runs, nodes, listeners and tasks. `start` and `end` select whole hours; open runs and runs at a node are counted as of now. The nodes, listeners and tasks are those of the selected or current version, followed by other nodes that were visited.',
      params: WorkflowParams,
      querystring: WorkflowStatisticsQuery,
      response: { 200: WorkflowStatistics },
    },
    handler: (request) => {
      const { version }: Static<typeof WorkflowStatisticsQuery> = request.query
      return readWorkflowStatistics(context.db, readWorkflowKey(request), {
        version,
        ...parseTimePeriod(request.query),
      })
    },
  })
}
