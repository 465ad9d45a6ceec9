import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { copyLook, type Look, lookOf, told } from '../../http/resource/audit.ts'
import { registerDefinitionWrites, writerOf } from '../../http/resource/definition-writes.ts'
import { requireApproved } from '../../http/resource/live-writes.ts'
import { type Resource, registerResource } from '../../http/resource/resource.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readIntId } from '../../lib/ids.ts'
import { Flaws } from '../../scripting/flaw-schemas.ts'
import { activeRule } from './definition/active-rule.ts'
import { flawsOf } from './definition/check.ts'
import { untilWorkflowsListen } from './definition/listening.ts'
import { MAX_BYTES } from './definition/reading.ts'
import { showVersion, showVersionRow, showWorkflow } from './documents.ts'
import { duplicateWorkflow } from './duplication.ts'
import { WORKFLOWS, workflowKey } from './paths.ts'
import { listVersions, listWorkflows, loadVersion, loadWorkflow, lockWorkflow, type StoredWorkflow } from './stored.ts'
import {
  Version,
  VersionList,
  VersionParams,
  Workflow,
  WorkflowBody,
  WorkflowParams,
  WorkflowQuery,
} from './workflow-schemas.ts'
import { activateWorkflow, changeWorkflow, createWorkflow, deactivateWorkflow, deleteWorkflow } from './workflows.ts'

const tags = ['workflows']
const ONE = `${WORKFLOWS}/:id`

type WorkflowResource = Resource<number, WorkflowBody, Workflow>

function resourceOf({ clock }: Context): WorkflowResource {
  return {
    path: WORKFLOWS,
    tag: 'workflows',
    name: 'workflow',
    readId: readIntId,
    schema: { shown: Workflow, body: WorkflowBody, query: WorkflowQuery },
    async *list(tx, account, page, { query }) {
      const { state, name } = query as { state?: 0 | 1; name?: string }
      for await (const row of listWorkflows(tx, account, { ...page, state, name })) yield showWorkflow(row)
    },
    read: async (tx, account, id) => showWorkflow(await loadWorkflow(tx, { account, id })),
    remove: (tx, account, id) => deleteWorkflow({ db: tx, clock }, { account, id }),
    lock: (tx, account, id) => lockWorkflow(tx, { account, id }),
    live: activeRule,
    committed: untilWorkflowsListen,
  }
}

function stateRoutes(app: App, context: Context): void {
  const toldContext = (request: FastifyRequest<{ Params: { id: string } }>, shown?: Look['shown']): Context => {
    const key = workflowKey(request)
    const look = lookOf(
      async (tx) => showWorkflow(await loadWorkflow(tx, key)),
      (tx) => lockWorkflow(tx, key),
    )
    return { ...context, db: told(request, context.db, { ...look, shown }) }
  }
  app.post(`${ONE}/activation`, {
    config: { right: 'send', audit: { object: 'workflow' } },
    schema: {
      tags,
      summary: 'activate a workflow',
      description: 'All that speaks against it is in "flaws".',
      params: WorkflowParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      requireApproved(request, 'The activation of a workflow')
      const shown = { reply, schema: Workflow }
      await activateWorkflow(toldContext(request, shown), workflowKey(request), writerOf(request).rights)
      return reply.code(204).send(null)
    },
  })
  app.delete(`${ONE}/activation`, {
    config: { right: ['write', 'send'], rightOfPeople: 'send', audit: { object: 'workflow' } },
    schema: {
      tags,
      summary: 'deactivate a workflow',
      params: WorkflowParams,
      querystring: Type.Object({ open: Type.Optional(Type.Enum(['pause', 'kill'])) }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deactivateWorkflow(toldContext(request), workflowKey(request), request.query.open)
      return reply.code(204).send(null)
    },
  })
  app.post(`${ONE}/duplication`, {
    config: { right: 'write', audit: { object: 'workflow' } },
    schema: { tags, summary: 'copy a workflow', params: WorkflowParams, response: { 200: Workflow } },
    handler: async (request) => {
      const look = copyLook(request, (copy) => showWorkflow(copy as StoredWorkflow))
      const copying = { ...context, db: told(request, context.db, look) }
      return showWorkflow(await duplicateWorkflow(copying, workflowKey(request)))
    },
  })
}

function lookRoutes(app: App, { db, sandbox }: Context): void {
  app.get(`${ONE}/flaws`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'what is wrong with a workflow',
      description: 'Errors prevent its activation.',
      params: WorkflowParams,
      response: { 200: Flaws },
    },
    handler: async (request) => {
      const { definition } = await loadWorkflow(db, workflowKey(request))
      return flawsOf({ db, sandbox }, request.account, definition)
    },
  })
  app.get(`${ONE}/versions`, {
    config: { right: 'read' },
    schema: { tags, summary: 'list versions of a workflow', params: WorkflowParams, response: { 200: VersionList } },
    handler: async (request) => {
      const key = workflowKey(request)
      await loadWorkflow(db, key)
      return (await listVersions(db, key)).map(showVersionRow)
    },
  })
  app.get(`${ONE}/versions/:version`, {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read a version of a workflow', params: VersionParams, response: { 200: Version } },
    handler: async (request) => {
      const key = workflowKey(request)
      const version = readIntId(request.params.version)
      if (version === undefined) throw notFound('version', request.params.version)
      await loadWorkflow(db, key)
      return showVersion(await loadVersion(db, key, version))
    },
  })
}

/** Workflows as a resource: their definitions, activation, copies, flaws and versions. */
export function workflowRoutes(app: App, context: Context): void {
  const resource = resourceOf(context)
  registerResource(app, context.db, resource)
  registerDefinitionWrites(app, context.db, {
    ...{ resource, bodyLimit: MAX_BYTES, show: showWorkflow },
    create: (db, account, body, writer) => createWorkflow({ ...context, db }, account, body, writer),
    change: (tx, key, given, options) => changeWorkflow({ ...context, db: tx }, key, given, options),
  })
  stateRoutes(app, context)
  lookRoutes(app, context)
}
