import type { FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { applyRequestPatch } from '../../http/resource/patch.ts'
import {
  buildResourceAudit,
  changeResource,
  type RestResource,
  registerResource,
} from '../../http/resource/resource.ts'
import { parseBodyBySchema } from '../../http/validation/validation.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { attachDisplayReports, readDisplayTimeline } from './display-report.ts'
import {
  DisplayCampaignQuery,
  DisplayTimeline,
  DisplayTimelineQuery,
  ListedDisplayCampaign,
} from './display-report-schemas.ts'
import {
  DisplayCampaignBody,
  DisplayCampaignResource,
  DisplayContentBody,
  DisplayContentResource,
  DisplayPlacementBody,
  DisplayPlacementResource,
  type DisplayResourceBody,
  DisplayTags,
  DisplayTagsQuery,
} from './display-schemas.ts'
import { displayCampaignKind, displayContentKind, displayPlacementKind } from './kinds.ts'
import {
  createDisplayResource,
  type DisplayResourceKey,
  type DisplayResourceKind,
  type DisplayResourceMembers,
  type DisplayResourceRow,
  deleteDisplayResource,
  listDisplayResources,
  loadDisplayResource,
  lockDisplayResource,
  parseDisplayId,
  toDisplayResource,
  updateDisplayResource,
} from './resources.ts'
import { createDisplayTags } from './tags.ts'

const tags = ['display']
const displayRefusals = { 409: 'id-taken' }
const DisplayParams = Type.Object({ id: Type.String() })
const PatchOperations = Type.Array(Type.Unknown(), {
  description: 'JSON Patch (RFC 6902).',
  [COMPONENT_REF_KEYWORD]: 'JsonPatch',
})

/** One of the three kinds as it is registered. */
interface RegisteredKind<Body extends DisplayResourceBody, Row extends DisplayResourceRow, Own extends object> {
  path: string
  /** The stable name of the operation that lists them. */
  listId: string
  kind: DisplayResourceKind<Body, Row, Own>
  schema: { shown: TSchema; body: TObject; listed?: TSchema; query?: TObject }
  /** Transforms the list if a caller requests more than the resources. */
  listed?: (
    db: Db,
    request: FastifyRequest,
    listedResources: AsyncIterable<DisplayResourceMembers & Own>,
  ) => AsyncIterable<unknown>
}

function parseResourceKey({ account }: FastifyRequest, name: string, text: string): DisplayResourceKey {
  const id = parseDisplayId(text)
  if (id === undefined) throw notFoundProblem(name, text)
  return { account, id }
}

/**
 * A patched resource as the body of a PUT: a removed member is null, which is refused where null is not allowed. Throws
 * 400 like a PUT.
 */
function applyPatchToBody<Body>(request: FastifyRequest, schema: TObject, current: object): Body {
  const document = applyRequestPatch(request, current)
  if (!isJsonObject(document)) throw badRequestProblem('', 'must be a JSON object after the patch')
  const body = { ...Object.fromEntries(Object.keys(schema.properties).map((name) => [name, null])), ...document }
  return parseBodyBySchema(request, schema, body) as Body
}

function registerPatchRoute<Body extends DisplayResourceBody, Row extends DisplayResourceRow, Own extends object>(
  app: HttpApp,
  { db, clock }: ServiceContext,
  { path, kind, schema }: RegisteredKind<Body, Row, Own>,
  resource: RestResource<string, Body, DisplayResourceMembers & Own, Row>,
): void {
  app.patch(`${path}/:id`, {
    config: { right: 'write', etag: true, audit: buildResourceAudit(resource) },
    schema: {
      tags,
      summary: `Patch a ${kind.name}`,
      description: `Applies a JSON merge patch (RFC 7396) or a JSON Patch (RFC 6902) and returns the ${kind.name}. A member that the patch removes becomes null, which is 400 where null is not allowed.`,
      refusals: displayRefusals,
      params: DisplayParams,
      body: Type.Union([schema.body, PatchOperations]),
      response: { 200: schema.shown },
    },
    // The result of the patch is validated, not the patch: its own faults stay attached to the request.
    attachValidation: true,
    handler: (request) => {
      const { id } = parseResourceKey(request, kind.name, request.params.id)
      return changeResource({ request, db }, resource, id, {
        change(tx, locked) {
          const body = applyPatchToBody<Body>(request, schema.body, toDisplayResource(kind, locked.stored))
          return updateDisplayResource(tx, kind, locked, { body, now: new Date(clock.now()) })
        },
      })
    },
  })
}

function registerKindRoutes<Body extends DisplayResourceBody, Row extends DisplayResourceRow, Own extends object>(
  app: HttpApp,
  context: ServiceContext,
  registered: RegisteredKind<Body, Row, Own>,
): void {
  const { path, kind, schema, listId } = registered
  const now = (): Date => new Date(context.clock.now())
  const resource: RestResource<string, Body, DisplayResourceMembers & Own, Row> = {
    path,
    tag: 'display',
    name: kind.name,
    readId: parseDisplayId,
    schema,
    operations: {
      list: {
        operationId: listId,
        summary: `List the ${kind.name}s`,
        description: `Returns the ${kind.name}s of the account, sorted by ID.`,
      },
      create: {
        summary: `Create a ${kind.name}`,
        description: `Creates a ${kind.name} and returns it. An ID that is in use, or was used by a deleted ${kind.name}, is 409.`,
        refusals: displayRefusals,
      },
      read: { summary: `Get a ${kind.name}`, description: `Returns a ${kind.name}.` },
      update: {
        summary: `Update a ${kind.name}`,
        description: `Changes the members of the body and returns the ${kind.name}. Members that are absent keep their value.`,
        refusals: displayRefusals,
      },
      remove: {
        summary: `Delete a ${kind.name}`,
        description: `Deletes the ${kind.name}. Its tags continue to work, and its events remain. Its ID cannot be used again.`,
      },
    },
    list: (db, account, page, request) => {
      const listedResources = listDisplayResources(db, kind, account, page)
      return registered.listed?.(db, request, listedResources) ?? listedResources
    },
    create: (db, account, body) => createDisplayResource(db, kind, { account, body, now: now() }),
    read: (db, account, id) => loadDisplayResource(db, kind, { account, id }),
    update: (tx, locked, body) => updateDisplayResource(tx, kind, locked, { body, now: now() }),
    remove: (tx, locked) => deleteDisplayResource(tx, kind, locked, now()),
    lock: (tx, account, id) => lockDisplayResource(tx, kind, { account, id }),
    show: (row) => toDisplayResource(kind, row),
  }
  registerResource(app, context.db, resource)
  registerPatchRoute(app, context, registered, resource)
}

function registerReportRoute(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/display/campaign/:id/report', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'Get the report of a display campaign',
      description:
        'Returns the impressions and clicks of a display campaign: in total, and for a period by day, content and placement. The default period is the last 30 days.',
      params: DisplayParams,
      querystring: DisplayTimelineQuery,
      response: { 200: DisplayTimeline },
    },
    handler: (request) =>
      readDisplayTimeline(
        db,
        parseResourceKey(request, displayCampaignKind.name, request.params.id),
        request.query,
        clock.now(),
      ),
  })
}

/** Campaigns, placements and contents shown on sites, and their tags. */
export function displayApiRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, tokens, config } = context
  registerKindRoutes(app, context, {
    path: '/display/campaign',
    kind: displayCampaignKind,
    listId: 'listDisplayCampaigns',
    schema: {
      shown: DisplayCampaignResource,
      body: DisplayCampaignBody,
      listed: ListedDisplayCampaign,
      query: DisplayCampaignQuery,
    },
    listed: (handle, { account, query }, listedResources) =>
      (query as { report?: boolean }).report ? attachDisplayReports(handle, account, listedResources) : listedResources,
  })
  registerReportRoute(app, context)
  registerKindRoutes(app, context, {
    path: '/display/placement',
    kind: displayPlacementKind,
    listId: 'listDisplayPlacements',
    schema: { shown: DisplayPlacementResource, body: DisplayPlacementBody },
  })
  registerKindRoutes(app, context, {
    path: '/display/content',
    kind: displayContentKind,
    listId: 'listDisplayContents',
    schema: { shown: DisplayContentResource, body: DisplayContentBody },
  })
  app.get('/display/content/:id/tags', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'Create the tags of a display content',
      description:
        'Returns URLs and HTML that display a content at a placement and record impressions and clicks. Nothing is stored, and a content that is not active yet has tags as well. A placement that the content does not allow is 400.',
      params: DisplayParams,
      querystring: DisplayTagsQuery,
      response: { 200: DisplayTags },
    },
    handler: (request) => {
      const key = parseResourceKey(request, displayContentKind.name, request.params.id)
      return createDisplayTags({ db, tokens, publicUrl: config.publicUrl }, key, request.query)
    },
  })
}
