import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import {
  type AuditSnapshotOptions,
  createAuditedDb,
  createAuditSnapshot,
  createCopySnapshot,
} from '../../http/resource/audit-requests.ts'
import { registerDefinitionWrites, toDefinitionWriter } from '../../http/resource/definition-writes.ts'
import { requireDirectSendRight } from '../../http/resource/live-writes.ts'
import { type RestResource, registerResource } from '../../http/resource/resource.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { DefinitionFlaws } from '../../scripting/flaw-schemas.ts'
import { activeWorkflowRule } from './definition/active-rule.ts'
import { findWorkflowFlaws } from './definition/check-definition.ts'
import { waitForWorkflowListening } from './definition/event-interests.ts'
import { MAX_WORKFLOW_BYTES } from './definition/parse-definition.ts'
import { duplicateWorkflow } from './duplicate-workflow.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from './workflow-paths.ts'
import { showWorkflow, showWorkflowVersion, showWorkflowVersionRow } from './workflow-presenter.ts'
import {
  listWorkflows,
  listWorkflowVersions,
  loadWorkflow,
  loadWorkflowVersion,
  lockWorkflow,
  type StoredWorkflow,
} from './workflow-repository.ts'
import {
  WorkflowBody,
  WorkflowDocument,
  WorkflowParams,
  WorkflowQuery,
  WorkflowVersion,
  WorkflowVersionList,
  WorkflowVersionParams,
  workflowRefusals,
  workflowWriteRefusals,
} from './workflow-schemas.ts'
import { activateWorkflow, changeWorkflow, createWorkflow, deactivateWorkflow, deleteWorkflow } from './workflows.ts'

const routeTags = ['workflows']
const WORKFLOW_PATH = `${WORKFLOWS_PATH}/:id`

type WorkflowResource = RestResource<number, WorkflowBody, WorkflowDocument, StoredWorkflow> & {
  show(workflow: StoredWorkflow): WorkflowDocument
}

function createWorkflowResource({ clock }: ServiceContext): WorkflowResource {
  return {
    path: WORKFLOWS_PATH,
    tag: 'workflows',
    name: 'workflow',
    readId: parseInt32Id,
    schema: { shown: WorkflowDocument, body: WorkflowBody, query: WorkflowQuery },
    operations: {
      list: { refusals: workflowRefusals },
      create: { refusals: workflowWriteRefusals },
      read: { refusals: workflowRefusals },
      update: { refusals: workflowWriteRefusals },
      patch: { refusals: workflowWriteRefusals },
      remove: { refusals: workflowWriteRefusals },
    },
    async *list(tx, account, page, { query }) {
      const { state, name } = query as { state?: 0 | 1; name?: string }
      for await (const row of listWorkflows(tx, account, { ...page, state, name })) yield showWorkflow(row)
    },
    read: async (tx, account, id) => showWorkflow(await loadWorkflow(tx, { account, id })),
    remove: (tx, { stored }) => deleteWorkflow({ db: tx, clock }, stored),
    show: (workflow) => showWorkflow(workflow),
    lock: (tx, account, id) => lockWorkflow(tx, { account, id }),
    live: activeWorkflowRule,
    committed: waitForWorkflowListening,
  }
}

function registerStateRoutes(app: HttpApp, context: ServiceContext): void {
  const toldContext = (
    request: FastifyRequest<{ Params: { id: string } }>,
    selectShown?: AuditSnapshotOptions['shown'],
  ): ServiceContext => {
    const key = readWorkflowKey(request)
    const auditSnapshot = createAuditSnapshot(
      async (tx) => showWorkflow(await loadWorkflow(tx, key)),
      (tx) => lockWorkflow(tx, key),
    )
    return { ...context, db: createAuditedDb(request, context.db, { ...auditSnapshot, shown: selectShown }) }
  }
  app.post(`${WORKFLOW_PATH}/activation`, {
    config: { right: 'send', audit: { object: 'workflow' } },
    schema: {
      tags: routeTags,
      summary: 'activate a workflow',
      refusals: { ...workflowWriteRefusals, 412: 'precondition-failed' },
      description: 'All that speaks against it is in "flaws".',
      params: WorkflowParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      requireDirectSendRight(request, 'The activation of a workflow')
      const responseOptions = { reply, schema: WorkflowDocument }
      await activateWorkflow(
        toldContext(request, responseOptions),
        readWorkflowKey(request),
        toDefinitionWriter(request).rights,
      )
      return reply.code(204).send(null)
    },
  })
  app.delete(`${WORKFLOW_PATH}/activation`, {
    config: { right: ['write', 'send'], rightOfPeople: 'send', audit: { object: 'workflow' } },
    schema: {
      tags: routeTags,
      summary: 'deactivate a workflow',
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      querystring: Type.Object({
        open: Type.Optional(Type.Enum(['pause', 'kill'], { description: 'only those that are not over' })),
      }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deactivateWorkflow(toldContext(request), readWorkflowKey(request), request.query.open)
      return reply.code(204).send(null)
    },
  })
  app.post(`${WORKFLOW_PATH}/duplication`, {
    config: { right: 'write', audit: { object: 'workflow' } },
    schema: {
      tags: routeTags,
      summary: 'copy a workflow',
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      response: { 200: WorkflowDocument },
    },
    handler: async (request) => {
      const auditSnapshot = createCopySnapshot(request, (copy) => showWorkflow(copy as StoredWorkflow))
      const auditedContext = { ...context, db: createAuditedDb(request, context.db, auditSnapshot) }
      return showWorkflow(await duplicateWorkflow(auditedContext, readWorkflowKey(request)))
    },
  })
}

function registerReadRoutes(app: HttpApp, { db, sandbox }: ServiceContext): void {
  app.get(`${WORKFLOW_PATH}/flaws`, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'what is wrong with a workflow',
      refusals: workflowRefusals,
      description: 'Errors prevent its activation.',
      params: WorkflowParams,
      response: { 200: DefinitionFlaws },
    },
    handler: async (request) => {
      const { definition } = await loadWorkflow(db, readWorkflowKey(request))
      return findWorkflowFlaws({ db, sandbox }, request.account, definition)
    },
  })
  app.get(`${WORKFLOW_PATH}/versions`, {
    config: { right: 'read' },
    schema: {
      tags: routeTags,
      summary: 'list versions of a workflow',
      refusals: workflowRefusals,
      params: WorkflowParams,
      response: { 200: WorkflowVersionList },
    },
    handler: async (request) => {
      const key = readWorkflowKey(request)
      await loadWorkflow(db, key)
      return (await listWorkflowVersions(db, key)).map(showWorkflowVersionRow)
    },
  })
  app.get(`${WORKFLOW_PATH}/versions/:version`, {
    config: { right: 'read', etag: true },
    schema: {
      tags: routeTags,
      summary: 'read a version of a workflow',
      refusals: workflowRefusals,
      params: WorkflowVersionParams,
      response: { 200: WorkflowVersion },
    },
    handler: async (request) => {
      const key = readWorkflowKey(request)
      const version = parseInt32Id(request.params.version)
      if (version === undefined) throw notFoundProblem('version', request.params.version)
      await loadWorkflow(db, key)
      return showWorkflowVersion(await loadWorkflowVersion(db, key, version))
    },
  })
}

/** Workflows as a resource: their definitions, activation, copies, flaws and versions. */
export function workflowRoutes(app: HttpApp, context: ServiceContext): void {
  const resource = createWorkflowResource(context)
  registerResource(app, context.db, resource)
  registerDefinitionWrites(app, context.db, {
    resource,
    bodyLimit: MAX_WORKFLOW_BYTES,
    create: (db, account, body, writer) => createWorkflow({ ...context, db }, account, body, writer),
    change: (tx, { stored }, body, options) => changeWorkflow({ ...context, db: tx }, stored, body, options),
  })
  registerStateRoutes(app, context)
  registerReadRoutes(app, context)
}
