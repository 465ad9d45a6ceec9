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
      list: {
        summary: 'List the workflows',
        description: 'Returns all workflows with their definitions, by ascending ID.',
        refusals: workflowRefusals,
      },
      create: {
        summary: 'Create a workflow',
        description:
          'Creates an inactive workflow at version 1; absent members take their defaults. A definition with flaws is stored, but cannot be activated. Refused with 409 if the account has 1,000 workflows. Capabilities of scripts require the corresponding rights (403).',
        refusals: workflowWriteRefusals,
      },
      read: {
        summary: 'Get a workflow',
        description: 'Returns the workflow with its definition, defaults filled in. Secrets are shown as `***`.',
        refusals: workflowRefusals,
      },
      update: {
        summary: 'Update a workflow',
        description:
          'Absent members keep their values; arrays are replaced as a whole. Each change of the definition creates a new version, which applies at once if the workflow is active; open runs keep theirs unless `migration` says otherwise. Refused with 409 if the workflow is active and the result would have error flaws.',
        refusals: workflowWriteRefusals,
      },
      patch: { summary: 'Patch a workflow', refusals: workflowWriteRefusals },
      remove: {
        summary: 'Delete a workflow',
        description:
          'Ends its open runs and deletes its runs and traces within 60 seconds; its event records remain. Refused with 409 while the workflow is active.',
        refusals: workflowWriteRefusals,
      },
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
    conditionSchema?: AuditSnapshotOptions['conditionSchema'],
  ): ServiceContext => {
    const key = readWorkflowKey(request)
    const auditSnapshot = createAuditSnapshot(
      async (tx) => showWorkflow(await loadWorkflow(tx, key)),
      (tx) => lockWorkflow(tx, key),
    )
    return { ...context, db: createAuditedDb(request, context.db, { ...auditSnapshot, conditionSchema }) }
  }
  app.post(`${WORKFLOW_PATH}/activation`, {
    config: { right: 'send', audit: { object: 'workflow' } },
    schema: {
      tags: routeTags,
      summary: 'Activate a workflow',
      refusals: { ...workflowWriteRefusals, 412: 'precondition-failed' },
      description:
        'Starts listening to events and scheduling tasks from now on, and resumes paused runs. Refused with 409 if the workflow is already active, or if its definition has error flaws; `flaws` then lists them. The capabilities of its scripts require the corresponding rights (403).',
      params: WorkflowParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      requireDirectSendRight(request, 'The activation of a workflow')
      await activateWorkflow(
        toldContext(request, WorkflowDocument),
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
      summary: 'Deactivate a workflow',
      description:
        'Stops listeners and tasks. Once the answer arrives, the workflow has no further effect; open runs pause, or end within 60 seconds with `kill`. Refused with 409 if the workflow is not active.',
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      querystring: Type.Object({
        open: Type.Optional(
          Type.Enum(['pause', 'kill'], {
            description:
              'Open runs. `pause`: they continue after the next activation. `kill`: they end. Default: `onDeactivate` of the settings.',
          }),
        ),
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
      summary: 'Duplicate a workflow',
      description:
        'Returns an inactive copy at version 1, with a numbered name and new IDs of tasks, schedulers and capping entries. Runs and counts are not copied. Refused with 409 if the account has 1,000 workflows.',
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
      summary: 'List the flaws of a workflow',
      refusals: workflowRefusals,
      description:
        'Checks the stored definition without running anything. Flaws of severity `error` prevent activation; warnings do not. An empty list: no flaws.',
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
      summary: 'List the versions of a workflow',
      description:
        'Returns the number and date of each stored version. A version is kept while it is current or has open runs, and for 90 days afterwards.',
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
      summary: 'Get a version of a workflow',
      description:
        'Returns the definition as it was in this version. 404 if the version does not exist or is no longer kept.',
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
    description:
      'Each change of the definition creates a new version. Refused with 409 if the workflow is active and the result would have error flaws.',
    create: (db, account, body, writer) => createWorkflow({ ...context, db }, account, body, writer),
    change: (tx, { stored }, body, options) => changeWorkflow({ ...context, db: tx }, stored, body, options),
  })
  registerStateRoutes(app, context)
  registerReadRoutes(app, context)
}
