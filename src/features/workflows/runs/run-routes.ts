import { type Static, Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { App } from '../../../http/app-type.ts'
import { told } from '../../../http/resource/audit.ts'
import { type Page, sendList, sent } from '../../../http/resource/list.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import { readWords } from '../../../lib/text/word-list.ts'
import { readPeriod } from '../../../lib/time/period.ts'
import { findContacts } from '../../contacts/records/find.ts'
import { listPublished } from '../../notices/reading.ts'
import { engineOf } from '../engine/engine.ts'
import { WORKFLOWS, workflowKey } from '../paths.ts'
import { killRun, retryRun } from './changing.ts'
import {
  cursorOf,
  listRuns,
  type RunCursor,
  type RunFilter,
  readCursor,
  readRun,
  requireWorkflow,
  runId,
} from './reading.ts'
import {
  ListedRun,
  Published,
  PublishedQuery,
  Run,
  RunParams,
  RunQuery,
  runStatuses,
  Statistics,
  StatisticsQuery,
} from './run-schemas.ts'
import { statisticsOf } from './statistics.ts'

const tags = ['workflows']
const ONE = `${WORKFLOWS}/:id`
const Params = Type.Object({ id: Type.String() })

/** The contact that a query names; null: there is none such. */
async function contactOf(
  db: Db,
  account: AccountId,
  { contact, unicity, hash }: RunQuery,
): Promise<number | null | undefined> {
  const sought = [
    ...(contact === undefined ? [] : [{ type: 'id' as const, value: contact }]),
    ...(unicity === undefined ? [] : [{ type: 'unicity' as const, value: unicity }]),
    ...(hash === undefined ? [] : [{ type: 'hash' as const, value: hash }]),
  ]
  if (sought.length === 0) return undefined
  if (sought.length > 1) throw badRequest('', 'At most one of "contact", "unicity" and "hash" is possible.')
  const [found] = await findContacts(db, account, sought)
  return found?.id ?? null
}

async function filterOf(db: Db, account: AccountId, query: RunQuery): Promise<RunFilter> {
  const { status, node, version, sort = 'asc' } = query
  const statuses = readWords('status', status, runStatuses)
  return { contact: await contactOf(db, account, query), statuses, node, version, ...readPeriod(query), sort }
}

function listRoutes(app: App, { db }: Context): void {
  app.get(`${ONE}/runs`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list runs of a workflow',
      description: 'by the date of their start, without their data',
      params: Params,
      querystring: RunQuery,
      response: { 200: sent(Type.Array(ListedRun)) },
    },
    handler: async (request, reply) => {
      const key = workflowKey(request)
      await requireWorkflow(db, key)
      const filter = await filterOf(db, request.account, request.query)
      const rows = (page: Page<RunCursor>) => listRuns(db, key, filter, page)
      return sendList(request, reply, { rows, key: cursorOf, readKey: readCursor })
    },
  })
  app.get(`${ONE}/events`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list events that runs of a workflow published',
      description: 'kept for 90 days',
      params: Params,
      querystring: PublishedQuery,
      response: { 200: sent(Type.Array(Published)) },
    },
    handler: async (request, reply) => {
      const key = workflowKey(request)
      await requireWorkflow(db, key)
      const { sort = 'asc' } = request.query
      const period = readPeriod(request.query)
      return sendList(request, reply, {
        rows: (page: Page<string>) => listPublished(db, key, { ...period, sort }, page),
        key: ({ id }) => id,
        readKey: (value) => (typeof value === 'string' ? runId(value) : undefined),
      })
    },
  })
}

function oneRoutes(app: App, context: Context): void {
  const { db } = context
  const { definitions } = engineOf(context)
  const url = `${ONE}/runs/:run`
  app.get(url, {
    config: { right: 'read' },
    schema: { tags, summary: 'read a run of a workflow', params: RunParams, response: { 200: Run } },
    handler: (request) => readRun(db, workflowKey(request), runId(request.params.run)),
  })
  app.delete(url, {
    config: { right: ['write', 'send'], rightOfPeople: 'send', audit: { object: 'workflow-run', id: 'run' } },
    schema: { tags, summary: 'kill a run of a workflow', params: RunParams, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const killing = { ...context, db: told(request, db, { said: { workflow: request.params.id } }) }
      await killRun(killing, workflowKey(request), runId(request.params.run))
      return reply.code(204).send(null)
    },
  })
  app.post(`${url}/retry`, {
    config: { right: 'send', audit: { object: 'workflow-run', id: 'run' } },
    schema: {
      tags,
      summary: 'go on with a run of a workflow that failed',
      description: 'at the node where it failed, as a new visit',
      params: RunParams,
      response: { 200: Run },
    },
    handler: async (request) => {
      const [key, run] = [workflowKey(request), runId(request.params.run)]
      const handle = told(request, db, { said: { workflow: request.params.id } })
      await retryRun({ ...context, db: handle, definitions }, key, run)
      return readRun(db, key, run)
    },
  })
}

/** Runs of workflows, what was counted of them, and what they have published. */
export function runRoutes(app: App, context: Context): void {
  listRoutes(app, context)
  oneRoutes(app, context)
  app.get(`${ONE}/statistics`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what was counted of a workflow',
      description: 'by hours; what is open, or at a node, is so now',
      params: Params,
      querystring: StatisticsQuery,
      response: { 200: Statistics },
    },
    handler: (request) => {
      const { version }: Static<typeof StatisticsQuery> = request.query
      return statisticsOf(context.db, workflowKey(request), { version, ...readPeriod(request.query) })
    },
  })
}
