import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, DefinitionWriter, LockedObject } from '../../lib/account.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { withArticle } from '../../lib/text/nouns.ts'
import type { HttpApp } from '../app-type.ts'
import { isStrictPreferred, parseRawBodyBySchema } from '../validation/validation.ts'
import { applyRequestPatch } from './patch.ts'
import {
  buildResourceAudit,
  changeResource,
  createAuditedCreationDb,
  parseResourceId,
  ResourceIdParams,
  type RestResource,
} from './resource.ts'

/** The writer of a request. */
export function toDefinitionWriter({ rights, headers, person }: FastifyRequest): DefinitionWriter {
  return { rights: rights ?? [], strict: isStrictPreferred(headers.prefer), maker: person?.id ?? null }
}

/** The functions that write the definitions of a resource. */
interface DefinitionWriteRoutes<Id extends string | number, Body, Shown extends object, Stored extends object> {
  resource: RestResource<Id, Body, Shown, Stored> & { show(stored: Stored): Shown }
  bodyLimit?: number
  /** The conditions under which a write is refused. */
  description?: string
  create(db: Db, account: AccountId, body: Body, writer: DefinitionWriter): Promise<Stored>
  /** `whole`: what is absent takes its default. */
  change(
    tx: Db,
    locked: LockedObject<Id, Stored>,
    body: Body,
    options: DefinitionWriter & { whole?: boolean },
  ): Promise<Stored>
}

const PATCH_DESCRIPTION =
  'Changes single members: the body is a merge patch (RFC 7396), or a list of JSON Patch operations (RFC 6902).'

/** The body that a patch makes of what is shown. Throws 400 for one without a name. */
function applyPatchToBody<Body>(request: FastifyRequest, schema: TSchema, currentObject: object): Body {
  const body = parseRawBodyBySchema(request, schema, applyRequestPatch(request, currentObject)) as Body & {
    name?: string
  }
  if (body.name === undefined) throw badRequestProblem('/name', 'is required')
  return { description: null, ...body }
}

/** Registers POST, PUT and PATCH of a resource whose bodies are definitions with a name and a description. */
export function registerDefinitionWrites<Id extends string | number, Body, Shown extends object, Stored extends object>(
  app: HttpApp,
  db: Db,
  writes: DefinitionWriteRoutes<Id, Body, Shown, Stored>,
): void {
  const { resource, bodyLimit, description, create, change } = writes
  const { path, tag, name, schema, operations } = resource
  const noun = withArticle(name)
  const response = { 200: schema.shown }
  const limitOptions = bodyLimit === undefined ? {} : { bodyLimit }
  const commonSchema = { tags: [tag], ...(description !== undefined && { description }) }
  const itemSchema = { ...commonSchema, params: ResourceIdParams, response }
  const config = { right: 'write', etag: true, audit: buildResourceAudit(resource) } as const
  const writeDefinition = (
    request: FastifyRequest,
    buildBody: (stored: Stored) => Body,
    options: { whole?: boolean } = {},
  ): Promise<Shown> => {
    const id = parseResourceId(resource, (request.params as { id: string }).id)
    return changeResource({ request, db }, resource, id, {
      change: (tx, locked) =>
        change(tx, locked, buildBody(locked.stored), { ...toDefinitionWriter(request), ...options }),
    })
  }
  app.post(path, {
    config: { right: 'write', audit: buildResourceAudit(resource) },
    ...limitOptions,
    schema: { ...commonSchema, summary: `Create ${noun}`, ...operations?.create, body: schema.body, response },
    handler: async (request) => {
      const creationDb = createAuditedCreationDb(request, db, resource)
      const created = await create(creationDb, request.account, request.body as Body, toDefinitionWriter(request))
      return resource.show(created)
    },
  })
  app.put(`${path}/:id`, {
    config,
    ...limitOptions,
    schema: { ...itemSchema, summary: `Update ${noun}`, ...operations?.update, body: schema.body },
    handler: (request) => writeDefinition(request, () => request.body as Body),
  })
  app.patch(`${path}/:id`, {
    config,
    ...limitOptions,
    schema: {
      tags: [tag],
      summary: `Patch ${noun}`,
      params: ResourceIdParams,
      response,
      description: description === undefined ? PATCH_DESCRIPTION : `${PATCH_DESCRIPTION} ${description}`,
      ...operations?.patch,
    },
    handler: (request) =>
      writeDefinition(request, (stored) => applyPatchToBody<Body>(request, schema.body, resource.show(stored)), {
        whole: true,
      }),
  })
}
