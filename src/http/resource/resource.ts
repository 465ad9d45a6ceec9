import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccessRight, AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import type { HttpApp } from '../app-type.ts'
import { requirePrecondition } from '../middleware/conditional.ts'
import { type AuditObjectRule, createAuditedDb, readAuditedIdentity } from './audit.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from './list.ts'
import { findLiveChangeRefusal, type LiveChangeRule } from './live-writes.ts'

/** The five standard operations of a resource. Those that are absent get no route. */
export interface RestResource<Id extends string | number, Body, Shown extends object> {
  /** `/segments`; the single one is `/segments/:id`. */
  path: string
  tag: string
  /** Used in messages: "segment". */
  name: string
  /** Reads the id of a path; undefined is 404. */
  readId: (text: string) => Id | undefined
  schema: { shown: TSchema; body: TSchema; listed?: TSchema; query?: TObject }
  /** Rights of reading and of writing. */
  rights?: { read: AccessRight; write: AccessRight }
  list?: (db: Db, account: AccountId, page: ListPageRequest<Id>, request: FastifyRequest) => AsyncIterable<unknown>
  /** The id of a listed item, for paging. */
  idOf?: (item: Shown) => Id
  create?: (db: Db, account: AccountId, body: Body) => Promise<Shown>
  read?: (db: Db, account: AccountId, id: Id, request: FastifyRequest) => Promise<Shown>
  update?: (db: Db, account: AccountId, id: Id, body: Body) => Promise<Shown>
  remove?: (db: Db, account: AccountId, id: Id) => Promise<void>
  /** Locks the row until the transaction ends, so that If-Match and the change are one. */
  lock: (db: Db, account: AccountId, id: Id) => Promise<unknown>
  /** Set if some of the objects are live: people without the right to send cannot change those, and others may need an approval. */
  live?: LiveChangeRule & { isLive(db: Db, account: AccountId, id: Id, request: FastifyRequest): Promise<boolean> }
  /** Its name in the audit; by default the name of the resource. */
  audited?: string
  /** Work that a committed change or deletion waits for before it is answered. */
  committed?: (db: Db, account: AccountId) => Promise<void>
}

/** The input of a change to a resource. */
interface ChangeContext {
  request: FastifyRequest
  reply: FastifyReply
  db: Db
}

/** Path parameters of a single object. */
export const ResourceIdParams = Type.Object({ id: Type.String() })

/** The id in a path. Throws a 404 Problem for an invalid id. */
export function parseResourceId<Id extends string | number>(
  { readId, name }: { readId: (text: string) => Id | undefined; name: string },
  text: string,
): Id {
  const id = readId(text)
  if (id === undefined) throw notFoundProblem(name, text)
  return id
}

/** Throws 403 where people may not change what is live; its row must be locked. */
export async function requireLiveChangeRight<Id extends string | number, Body, Shown extends object>(
  tx: Db,
  request: FastifyRequest,
  { live }: Pick<RestResource<Id, Body, Shown>, 'live'>,
  id: Id,
): Promise<void> {
  const refusal = live && findLiveChangeRefusal(request, live)
  if (refusal && (await live?.isLive(tx, request.account, id, request))) throw refusal
}

/** The audit rule of a resource: `RCS profile` becomes `rcs-profile`. */
export function buildResourceAudit<Id extends string | number, Body, Shown extends object>({
  audited,
  name,
}: RestResource<Id, Body, Shown>): AuditObjectRule {
  return { object: audited ?? name.toLowerCase().replaceAll(' ', '-') }
}

/**
 * Runs a change in a transaction that also records it. With If-Match, it is the transaction that first locks the row and compares its
 * representation. `change` receives a handle and opens its transaction on it. If the person may be refused changes to live objects, that
 * is checked there as well. Throws 403 for these people.
 */
export async function runAuditedChange<Id extends string | number, Body, Shown extends object, Result>(
  called: ChangeContext,
  resource: RestResource<Id, Body, Shown>,
  id: Id,
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { request, reply } = called
  const { read: readObject, lock, live, committed } = resource
  const mayBeRefused = live !== undefined && findLiveChangeRefusal(request, live) !== undefined
  const readShown = async (tx: Db): Promise<object | null> =>
    (await readObject?.(tx, request.account, id, request)) ?? null
  const lockAndRead = async (tx: Db): Promise<object | null> => {
    await lock(tx, request.account, id)
    return readShown(tx)
  }
  const isDeleted = request.method === 'DELETE' && request.routeOptions.url === `${resource.path}/:id`
  const db = createAuditedDb(
    request,
    called.db,
    isDeleted ? { before: lockAndRead } : { before: lockAndRead, after: readShown },
  )
  const changeWithChecks = async (tx: Db): Promise<Result> => {
    await lock(tx, request.account, id)
    await requireLiveChangeRight(tx, request, resource, id)
    if (readObject)
      await requirePrecondition(request, reply, resource.schema.shown, () =>
        readObject(tx, request.account, id, request),
      )
    return change(tx)
  }
  const isUnchecked = !mayBeRefused && (request.headers['if-match'] === undefined || !readObject)
  const result = await (isUnchecked ? change(db) : inTransaction(db, changeWithChecks))
  await committed?.(called.db, request.account)
  return result
}

/** A handle whose transaction creates an object and records it as it is read at that point. */
export function createAuditedCreationDb<Id extends string | number, Body, Shown extends object>(
  request: FastifyRequest,
  db: Db,
  { read: readObject, readId }: RestResource<Id, Body, Shown>,
): Db {
  return createAuditedDb(request, db, {
    after: (tx, createdObject) => {
      const id = readId(readAuditedIdentity(createdObject).id ?? '')
      return id === undefined || !readObject ? null : readObject(tx, request.account, id, request)
    },
  })
}

function registerCollectionRoutes<Id extends string | number, Body, Shown extends object>(
  app: HttpApp,
  db: Db,
  resource: RestResource<Id, Body, Shown>,
): void {
  const { path, tag, name, schema, list, create, idOf, rights = { read: 'read', write: 'write' } } = resource
  if (list) {
    const query = Type.Object({ ...ListPageQuery.properties, ...schema.query?.properties })
    const readKey = (value: unknown) =>
      typeof value === 'string' || typeof value === 'number' ? (value as Id) : undefined
    app.get(path, {
      config: { right: rights.read },
      schema: {
        tags: [tag],
        summary: `list every ${name}`,
        querystring: query,
        response: { 200: declareStreamedAnswer(Type.Array(schema.listed ?? schema.shown)) },
      },
      handler: (request, reply) =>
        sendList(request, reply, {
          rows: (page: ListPageRequest<Id>) => list(db, request.account, page, request),
          key: (item) => (idOf ? idOf(item as Shown) : (item as { id: Id }).id),
          readKey,
        }),
    })
  }
  if (create) {
    app.post(path, {
      config: { right: rights.write, audit: buildResourceAudit(resource) },
      schema: { tags: [tag], summary: `create a ${name}`, body: schema.body, response: { 200: schema.shown } },
      handler: (request) =>
        create(createAuditedCreationDb(request, db, resource), request.account, request.body as Body),
    })
  }
}

function registerItemRoutes<Id extends string | number, Body, Shown extends object>(
  app: HttpApp,
  db: Db,
  resource: RestResource<Id, Body, Shown>,
): void {
  const {
    path,
    tag,
    name,
    schema,
    read: readObject,
    update,
    remove,
    rights = { read: 'read', write: 'write' },
  } = resource
  const url = `${path}/:id`
  if (readObject) {
    app.get(url, {
      config: { right: rights.read, etag: true },
      schema: { tags: [tag], summary: `read a ${name}`, params: ResourceIdParams, response: { 200: schema.shown } },
      handler: (request) => readObject(db, request.account, parseResourceId(resource, request.params.id), request),
    })
  }
  if (update) {
    app.put(url, {
      config: { right: rights.write, etag: true, audit: buildResourceAudit(resource) },
      schema: {
        tags: [tag],
        summary: `update a ${name}`,
        params: ResourceIdParams,
        body: schema.body,
        response: { 200: schema.shown },
      },
      handler: (request, reply) => {
        const id = parseResourceId(resource, request.params.id)
        return runAuditedChange({ request, reply, db }, resource, id, (tx) =>
          update(tx, request.account, id, request.body as Body),
        )
      },
    })
  }
  if (remove) {
    app.delete(url, {
      config: { right: rights.write, audit: buildResourceAudit(resource) },
      schema: { tags: [tag], summary: `delete a ${name}`, params: ResourceIdParams, response: { 204: Type.Null() } },
      handler: async (request, reply) => {
        const id = parseResourceId(resource, request.params.id)
        await runAuditedChange({ request, reply, db }, resource, id, (tx) => remove(tx, request.account, id))
        return reply.code(204).send(null)
      },
    })
  }
}

/** Registers the standard operations of a resource: one of the two places where routes are generated. */
export function registerResource<Id extends string | number, Body, Shown extends object>(
  app: HttpApp,
  db: Db,
  resource: RestResource<Id, Body, Shown>,
): void {
  registerCollectionRoutes(app, db, resource)
  registerItemRoutes(app, db, resource)
}
