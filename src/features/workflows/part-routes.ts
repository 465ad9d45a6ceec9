import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { writerOf } from '../../http/resource/definition-writes.ts'
import { patched } from '../../http/resource/patch.ts'
import { guarded, type Resource } from '../../http/resource/resource.ts'
import { readBody } from '../../http/validation/validation.ts'
import { badRequest } from '../../lib/errors/problem.ts'
import { activeRule } from './definition/active-rule.ts'
import { arrayParts, type Definition } from './definition/definition.ts'
import { untilWorkflowsListen } from './definition/listening.ts'
import { MAX_BYTES } from './definition/reading.ts'
import { showParts } from './documents.ts'
import { WORKFLOWS, workflowKey } from './paths.ts'
import { loadWorkflow, lockWorkflow, type StoredWorkflow } from './stored.ts'
import { givenParts, shownParts, WorkflowParams } from './workflow-schemas.ts'
import { type ChangeOptions, changeWorkflow } from './workflows.ts'

type Part = keyof Definition

const tags = ['workflows']
const objectParts = ['scripting', 'settings'] as const

/** A part as a resource of its own: what If-Match compares. */
function resourceOf(part: Part): Resource<number, unknown, object> {
  return {
    path: `${WORKFLOWS}/:id/${part}`,
    tag: 'workflows',
    name: 'workflow',
    readId: () => undefined,
    schema: { shown: shownParts[part], body: givenParts[part] },
    read: async (tx, account, id) => showParts(await loadWorkflow(tx, { account, id }))[part],
    lock: (tx, account, id) => lockWorkflow(tx, { account, id }),
    live: activeRule,
    committed: untilWorkflowsListen,
  }
}

/** How a part is changed by the routes below. */
function changer(context: Context, part: Part) {
  return async (
    tx: Db,
    request: FastifyRequest,
    given: (stored: StoredWorkflow) => unknown,
    options: Partial<ChangeOptions>,
  ): Promise<object> => {
    const write = async (stored: StoredWorkflow) => ({ [part]: given(stored) })
    const all = { ...writerOf(request), ...options, only: part }
    const changed = await changeWorkflow({ ...context, db: tx }, workflowKey(request), write, all)
    return showParts(changed)[part]
  }
}

function readRoutes(app: App, context: Context, part: Part): void {
  const { db } = context
  app.get(`${WORKFLOWS}/:id/${part}`, {
    config: { right: 'read', etag: true },
    schema: {
      tags,
      summary: `read the ${part} of a workflow`,
      params: WorkflowParams,
      response: { 200: shownParts[part] as TSchema },
    },
    handler: async (request) => showParts(await loadWorkflow(db, workflowKey(request)))[part],
  })
}

function writeRoutes(app: App, context: Context, part: Part): void {
  const { db } = context
  const [resource, change] = [resourceOf(part), changer(context, part)]
  const path = `${WORKFLOWS}/:id/${part}`
  app.put(path, {
    config: { right: 'write', etag: true, audit: { object: 'workflow' } },
    bodyLimit: MAX_BYTES,
    schema: {
      tags,
      summary: `replace the ${part} of a workflow`,
      params: WorkflowParams,
      body: givenParts[part] as TSchema,
      response: { 200: shownParts[part] as TSchema },
    },
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      guarded({ request, reply, db }, resource, workflowKey(request).id, (tx) =>
        change(tx, request, () => request.body, {}),
      ),
  })
  app.delete(path, {
    config: { right: 'write', audit: { object: 'workflow' } },
    schema: {
      tags,
      summary: `delete the ${part} of a workflow`,
      params: WorkflowParams,
      response: { 204: Type.Null() },
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      await guarded({ request, reply, db }, resource, workflowKey(request).id, (tx) =>
        change(tx, request, () => undefined, { whole: true }),
      )
      return reply.code(204).send(null)
    },
  })
}

function patchRoute(app: App, context: Context, part: Part): void {
  const { db } = context
  const [resource, change] = [resourceOf(part), changer(context, part)]
  app.patch(`${WORKFLOWS}/:id/${part}`, {
    config: { right: 'write', etag: true, audit: { object: 'workflow' } },
    bodyLimit: MAX_BYTES,
    schema: {
      tags,
      summary: `patch the ${part} of a workflow`,
      description: 'a merge patch (RFC 7396), or operations (RFC 6902)',
      params: WorkflowParams,
      response: { 200: shownParts[part] as TSchema },
    },
    handler: (request: FastifyRequest, reply: FastifyReply) =>
      guarded({ request, reply, db }, resource, workflowKey(request).id, (tx) => {
        const given = (stored: StoredWorkflow): unknown => {
          const document = patched(request, showParts(stored)[part])
          if (document === undefined || document === null) throw badRequest('', 'leaves no object')
          return readBody(request, givenParts[part] as TSchema, document)
        }
        return change(tx, request, given, { whole: true })
      }),
  })
}

/** The parts of a workflow, each with operations of its own. */
export function workflowPartRoutes(app: App, context: Context): void {
  for (const part of [...arrayParts, ...objectParts]) {
    readRoutes(app, context, part)
    writeRoutes(app, context, part)
  }
  for (const part of objectParts) patchRoute(app, context, part)
}
