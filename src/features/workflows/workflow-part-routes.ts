import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { toDefinitionWriter } from '../../http/resource/definition-writes.ts'
import { applyRequestPatch } from '../../http/resource/patch.ts'
import { type ChangedResource, changeResource } from '../../http/resource/resource.ts'
import { parseRawBodyBySchema } from '../../http/validation/validation.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { activeWorkflowRule } from './definition/active-rule.ts'
import { waitForWorkflowListening } from './definition/event-interests.ts'
import { MAX_WORKFLOW_BYTES } from './definition/parse-definition.ts'
import { type WorkflowDefinition, workflowArrayParts } from './definition/workflow-definition.ts'
import { readWorkflowKey, WORKFLOWS_PATH } from './workflow-paths.ts'
import { showWorkflowParts } from './workflow-presenter.ts'
import { loadWorkflow, lockWorkflow, type StoredWorkflow } from './workflow-repository.ts'
import {
  WorkflowParams,
  workflowPartSchemas,
  workflowPartWriteSchemas,
  workflowRefusals,
  workflowWriteRefusals,
} from './workflow-schemas.ts'
import { type ChangeWorkflowOptions, changeWorkflow } from './workflows.ts'

type WorkflowPart = keyof WorkflowDefinition

const routeTags = ['workflows']
const objectParts = ['scripting', 'settings'] as const

/** Descriptions of the operations that write a list, and of those that write an object. */
const listTexts = {
  replace:
    'Replaces the whole list, or nothing if the request is refused. Returns the stored list, with missing IDs filled in.',
  remove: 'Empties the list. A change creates a new version.',
}
const objectTexts = {
  replace: 'Absent members keep their values; null restores the default of a member. Returns the stored object.',
  remove: 'Restores the default of every member. A change creates a new version.',
}

/** A part as a resource of its own: what If-Match compares. */
function createPartResource(part: WorkflowPart): ChangedResource<number, object, StoredWorkflow> {
  return {
    schema: { shown: workflowPartSchemas[part] },
    show: (workflow) => showWorkflowParts(workflow)[part],
    lock: (tx, account, id) => lockWorkflow(tx, { account, id }),
    live: activeWorkflowRule,
    committed: waitForWorkflowListening,
  }
}

/** Creates the function with which the routes below change a part; it answers the part. */
function createPartChanger(context: ServiceContext, part: WorkflowPart) {
  const resource = createPartResource(part)
  return (
    request: FastifyRequest,
    buildPart: (storedWorkflow: StoredWorkflow) => unknown,
    options: Partial<ChangeWorkflowOptions> = {},
  ): Promise<object> =>
    changeResource({ request, db: context.db }, resource, readWorkflowKey(request).id, {
      change(tx, { stored }) {
        const writeOptions = { ...toDefinitionWriter(request), ...options, only: part }
        return changeWorkflow({ ...context, db: tx }, stored, { [part]: buildPart(stored) }, writeOptions)
      },
    })
}

function registerReadRoutes(app: HttpApp, context: ServiceContext, part: WorkflowPart): void {
  const { db } = context
  app.get(`${WORKFLOWS_PATH}/:id/${part}`, {
    config: { right: 'read', etag: true },
    schema: {
      tags: routeTags,
      summary: `Get the ${part} of a workflow`,
      description: `Returns only the ${part}, with defaults filled in.`,
      ...(part === 'capping' && { operationId: 'getWorkflowCapping' }),
      refusals: workflowRefusals,
      params: WorkflowParams,
      response: { 200: workflowPartSchemas[part] as TSchema },
    },
    handler: async (request) => showWorkflowParts(await loadWorkflow(db, readWorkflowKey(request)))[part],
  })
}

function registerWriteRoutes(app: HttpApp, context: ServiceContext, part: WorkflowPart): void {
  const change = createPartChanger(context, part)
  const path = `${WORKFLOWS_PATH}/:id/${part}`
  const texts = part === 'scripting' || part === 'settings' ? objectTexts : listTexts
  app.put(path, {
    config: { right: 'write', etag: true, audit: { object: 'workflow' } },
    bodyLimit: MAX_WORKFLOW_BYTES,
    schema: {
      tags: routeTags,
      summary: `Replace the ${part} of a workflow`,
      description: `${texts.replace} Each change creates a new version. Refused with 409 if the workflow is active and the result would have error flaws.`,
      operationId: `replaceWorkflow${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      body: workflowPartWriteSchemas[part] as TSchema,
      response: { 200: workflowPartSchemas[part] as TSchema },
    },
    handler: (request: FastifyRequest) => change(request, () => request.body),
  })
  app.delete(path, {
    config: { right: 'write', audit: { object: 'workflow' } },
    schema: {
      tags: routeTags,
      summary: `Delete the ${part} of a workflow`,
      description: `${texts.remove} Refused with 409 if the workflow is active and the result would have error flaws.`,
      refusals: workflowWriteRefusals,
      params: WorkflowParams,
      response: { 204: Type.Null() },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      await change(request, () => undefined, { whole: true })
      return reply.code(204).send(null)
    },
  })
}

function registerPatchRoute(app: HttpApp, context: ServiceContext, part: WorkflowPart): void {
  const change = createPartChanger(context, part)
  app.patch(`${WORKFLOWS_PATH}/:id/${part}`, {
    config: { right: 'write', etag: true, audit: { object: 'workflow' } },
    bodyLimit: MAX_WORKFLOW_BYTES,
    schema: {
      tags: routeTags,
      summary: `Patch the ${part} of a workflow`,
      refusals: workflowWriteRefusals,
      description:
        'Changes single members: the body is a merge patch (RFC 7396), or a list of JSON Patch operations (RFC 6902). Returns the stored object. Each change creates a new version; a patch without effect creates none. Refused with 409 if the workflow is active and the result would have error flaws.',
      params: WorkflowParams,
      response: { 200: workflowPartSchemas[part] as TSchema },
    },
    handler: (request: FastifyRequest, _reply: FastifyReply) =>
      change(
        request,
        (storedWorkflow) => {
          const document = applyRequestPatch(request, showWorkflowParts(storedWorkflow)[part])
          if (document === undefined || document === null)
            throw badRequestProblem('', 'must not remove the whole object')
          return parseRawBodyBySchema(request, workflowPartWriteSchemas[part] as TSchema, document)
        },
        { whole: true },
      ),
  })
}

/** The parts of a workflow, each with operations of its own. */
export function workflowPartRoutes(app: HttpApp, context: ServiceContext): void {
  for (const part of [...workflowArrayParts, ...objectParts]) {
    registerReadRoutes(app, context, part)
    registerWriteRoutes(app, context, part)
  }
  for (const part of objectParts) registerPatchRoute(app, context, part)
}
