import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, DefinitionWriter } from '../../lib/account.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import type { HttpApp } from '../app-type.ts'
import { isStrictPreferred, parseRawBodyBySchema } from '../validation/validation.ts'
import { applyRequestPatch } from './patch.ts'
import {
  buildResourceAudit,
  createAuditedCreationDb,
  parseResourceId,
  ResourceIdParams,
  type RestResource,
  runAuditedChange,
} from './resource.ts'

/** The writer of a request. */
export function toDefinitionWriter({ rights, headers, person }: FastifyRequest): DefinitionWriter {
  return { rights: rights ?? [], strict: isStrictPreferred(headers.prefer), maker: person?.id ?? null }
}

/** How the definitions of a resource are written: a change makes the body from what is stored, under its lock. */
interface DefinitionWrites<Id extends string | number, Body, Shown extends object, Stored> {
  resource: RestResource<Id, Body, Shown>
  bodyLimit?: number
  /** Of what a write refuses. */
  description?: string
  create(db: Db, account: AccountId, body: Body, writer: DefinitionWriter): Promise<Stored>
  /** `whole`: what is absent takes its default. */
  change(
    tx: Db,
    key: { account: AccountId; id: Id },
    given: (stored: Stored) => Body,
    options: DefinitionWriter & { whole?: boolean },
  ): Promise<Stored>
  show(stored: Stored): Shown
}

const PATCH = 'a merge patch (RFC 7396), or operations (RFC 6902)'

/** The body that a patch makes of what is shown. Throws 400 for one without a name. */
function patchedBody<Body>(request: FastifyRequest, schema: TSchema, shown: object): Body {
  const body = parseRawBodyBySchema(request, schema, applyRequestPatch(request, shown)) as Body & { name?: string }
  if (body.name === undefined) throw badRequestProblem('/name', 'is required')
  return { description: null, ...body }
}

/** Registers POST, PUT and PATCH of a resource whose bodies are definitions with a name and a description. */
export function registerDefinitionWrites<Id extends string | number, Body, Shown extends object, Stored>(
  app: HttpApp,
  db: Db,
  writes: DefinitionWrites<Id, Body, Shown, Stored>,
): void {
  const { resource, bodyLimit, description, create, change, show } = writes
  const { path, tag, name, schema } = resource
  const response = { 200: schema.shown }
  const limit = bodyLimit === undefined ? {} : { bodyLimit }
  const common = { tags: [tag], ...(description !== undefined && { description }) }
  const config = { right: 'write', etag: true, audit: buildResourceAudit(resource) } as const
  const written = (
    request: FastifyRequest,
    reply: FastifyReply,
    given: (stored: Stored) => Body,
    options: { whole?: boolean } = {},
  ): Promise<Shown> => {
    const id = parseResourceId(resource, (request.params as { id: string }).id)
    return runAuditedChange({ request, reply, db }, resource, id, async (tx) =>
      show(await change(tx, { account: request.account, id }, given, { ...toDefinitionWriter(request), ...options })),
    )
  }
  app.post(path, {
    config: { right: 'write', audit: buildResourceAudit(resource) },
    ...limit,
    schema: { ...common, summary: `create a ${name}`, body: schema.body, response },
    handler: async (request) => {
      const handle = createAuditedCreationDb(request, db, resource)
      return show(await create(handle, request.account, request.body as Body, toDefinitionWriter(request)))
    },
  })
  app.put(`${path}/:id`, {
    config,
    ...limit,
    schema: { ...common, summary: `update a ${name}`, params: ResourceIdParams, body: schema.body, response },
    handler: (request, reply) => written(request, reply, () => request.body as Body),
  })
  app.patch(`${path}/:id`, {
    config,
    ...limit,
    schema: {
      ...{ tags: [tag], summary: `patch a ${name}`, params: ResourceIdParams, response },
      description: description === undefined ? PATCH : `${PATCH}. ${description}`,
    },
    handler: (request, reply) =>
      written(request, reply, (stored) => patchedBody<Body>(request, schema.body, show(stored)), { whole: true }),
  })
}
