import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { checkPrecondition } from '../../http/middleware/conditional.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import { patched } from '../../http/resource/patch.ts'
import { registerResource } from '../../http/resource/resource.ts'
import { checkBody } from '../../http/validation/validation.ts'
import { badRequest, notFound } from '../../lib/errors/problem.ts'
import { isObject } from '../../lib/objects.ts'
import { displayCourse, withDisplayReports } from './display-report.ts'
import { CourseQuery, DisplayCourse, ListedDisplayCampaign, ListQuery } from './display-report-schemas.ts'
import {
  type CommonBody,
  DisplayCampaign,
  DisplayCampaignBody,
  DisplayContent,
  DisplayContentBody,
  Placement,
  PlacementBody,
  Tags,
  TagsQuery,
} from './display-schemas.ts'
import { campaigns, contents, placements } from './kinds.ts'
import {
  type CommonMembers,
  type CommonRow,
  createOne,
  listAll,
  lockOne,
  type ResourceKey,
  type ResourceKind,
  readDisplayId,
  readOne,
  removeOne,
  updateOne,
} from './resources.ts'
import { makeTags } from './tags.ts'

const tags = ['display']
const Params = Type.Object({ id: Type.String() })
const Operations = Type.Array(Type.Unknown(), { description: 'a JSON Patch (RFC 6902)' })

/** One of the three kinds as it is registered. */
interface Registered<Body extends CommonBody, Row extends CommonRow, Own extends object> {
  path: string
  kind: ResourceKind<Body, Row, Own>
  schema: { shown: TSchema; body: TObject; listed?: TSchema; query?: TObject }
  /** What the list is, when a caller asks for more than the resources. */
  listed?: (db: Db, request: FastifyRequest, all: AsyncIterable<CommonMembers & Own>) => AsyncIterable<unknown>
}

function keyOf({ account }: FastifyRequest, name: string, text: string): ResourceKey {
  const id = readDisplayId(text)
  if (id === undefined) throw notFound(name, text)
  return { account, id }
}

/**
 * A patched resource as the body of a PUT: a removed member is null, which is refused where null is not allowed. Throws
 * 400 like a PUT.
 */
function readPatched<Body>(request: FastifyRequest, schema: TObject, stored: object): Body {
  const document = patched(request, stored)
  if (!isObject(document)) throw badRequest('', 'leaves no object')
  const body = { ...Object.fromEntries(Object.keys(schema.properties).map((name) => [name, null])), ...document }
  return checkBody(request, schema, body) as Body
}

function registerPatch<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  app: App,
  { db, clock }: Context,
  { path, kind, schema }: Registered<Body, Row, Own>,
): void {
  const change = async (tx: Db, request: FastifyRequest, reply: FastifyReply, key: ResourceKey) => {
    await lockOne(tx, kind, key)
    const stored = await readOne(tx, kind, key)
    await checkPrecondition(request, reply, schema.shown, async () => stored)
    const body = readPatched<Body>(request, schema.body, stored)
    return updateOne(tx, kind, key, { body, now: new Date(clock.now()) })
  }
  app.patch(`${path}/:id`, {
    config: { right: 'write', etag: true, audit: { object: kind.name.toLowerCase().replaceAll(' ', '-') } },
    schema: {
      tags,
      summary: `patch a ${kind.name}`,
      params: Params,
      body: Type.Union([schema.body, Operations]),
      response: { 200: schema.shown },
    },
    // The result of the patch is validated, not the patch: its own faults stay attached to the request.
    attachValidation: true,
    handler: (request, reply) => {
      const key = keyOf(request, kind.name, request.params.id)
      const look = lookOf(
        (tx) => readOne(tx, kind, key),
        (tx) => lockOne(tx, kind, key),
      )
      return inTransaction(told(request, db, look), (tx) => change(tx, request, reply, key))
    },
  })
}

function registerKind<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  app: App,
  context: Context,
  registered: Registered<Body, Row, Own>,
): void {
  const { path, kind, schema } = registered
  const now = (): Date => new Date(context.clock.now())
  registerResource<string, Body, CommonMembers & Own>(app, context.db, {
    path,
    tag: 'display',
    name: kind.name,
    readId: readDisplayId,
    schema,
    list: (db, account, page, request) => {
      const all = listAll(db, kind, account, page)
      return registered.listed?.(db, request, all) ?? all
    },
    create: (db, account, body) => createOne(db, kind, { account, body, now: now() }),
    read: (db, account, id) => readOne(db, kind, { account, id }),
    update: (db, account, id, body) => updateOne(db, kind, { account, id }, { body, now: now() }),
    remove: (db, account, id) => inTransaction(db, (tx) => removeOne(tx, kind, { account, id }, now())),
    lock: (db, account, id) => lockOne(db, kind, { account, id }),
  })
  registerPatch(app, context, registered)
}

function reportRoute(app: App, { db, clock }: Context): void {
  app.get('/display/campaign/:id/report', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'impressions and clicks of a display campaign, in all and day by day',
      params: Params,
      querystring: CourseQuery,
      response: { 200: DisplayCourse },
    },
    handler: (request) =>
      displayCourse(db, keyOf(request, campaigns.name, request.params.id), request.query, clock.now()),
  })
}

/** Campaigns, placements and contents shown on sites, and their tags. */
export function displayRoutes(app: App, context: Context): void {
  const { db, tokens, config } = context
  registerKind(app, context, {
    path: '/display/campaign',
    kind: campaigns,
    schema: {
      shown: DisplayCampaign,
      body: DisplayCampaignBody,
      listed: ListedDisplayCampaign,
      query: ListQuery,
    },
    listed: (handle, { account, query }, all) =>
      (query as { report?: boolean }).report ? withDisplayReports(handle, account, all) : all,
  })
  reportRoute(app, context)
  registerKind(app, context, {
    path: '/display/placement',
    kind: placements,
    schema: { shown: Placement, body: PlacementBody },
  })
  registerKind(app, context, {
    path: '/display/content',
    kind: contents,
    schema: { shown: DisplayContent, body: DisplayContentBody },
  })
  app.get('/display/content/:id/tags', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'make the tags that show a content at a placement',
      params: Params,
      querystring: TagsQuery,
      response: { 200: Tags },
    },
    handler: (request) => {
      const key = keyOf(request, contents.name, request.params.id)
      return makeTags({ db, tokens, publicUrl: config.publicUrl }, key, request.query)
    },
  })
}
