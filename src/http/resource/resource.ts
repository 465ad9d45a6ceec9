import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId, Right } from '../../lib/account.ts'
import { notFound } from '../../lib/errors/problem.ts'
import type { App } from '../app-type.ts'
import { checkPrecondition } from '../middleware/conditional.ts'
import { type Audited, named, told } from './audit.ts'
import { type Page, PageQuery, sendList, sent } from './list.ts'
import { type LiveRule, liveRefusal } from './live-writes.ts'

/** The five standard operations of a resource. Those that are absent get no route. */
export interface Resource<Id extends string | number, Body, Shown extends object> {
  /** `/segments`; the single one is `/segments/:id`. */
  path: string
  tag: string
  /** Used in messages: "segment". */
  name: string
  /** Reads the id of a path; undefined is 404. */
  readId: (text: string) => Id | undefined
  schema: { shown: TSchema; body: TSchema; listed?: TSchema; query?: TObject }
  /** Rights of reading and of writing. */
  rights?: { read: Right; write: Right }
  list?: (db: Db, account: AccountId, page: Page<Id>, request: FastifyRequest) => AsyncIterable<unknown>
  /** The id of a listed item, for paging. */
  idOf?: (item: Shown) => Id
  create?: (db: Db, account: AccountId, body: Body) => Promise<Shown>
  read?: (db: Db, account: AccountId, id: Id, request: FastifyRequest) => Promise<Shown>
  update?: (db: Db, account: AccountId, id: Id, body: Body) => Promise<Shown>
  remove?: (db: Db, account: AccountId, id: Id) => Promise<void>
  /** Locks the row until the transaction ends, so that If-Match and the change are one. */
  lock: (db: Db, account: AccountId, id: Id) => Promise<unknown>
  /** Where some of them are live: people who may not send do not change those, and others may need an approval. */
  live?: LiveRule & { isLive(db: Db, account: AccountId, id: Id, request: FastifyRequest): Promise<boolean> }
  /** What the audit calls it; by default its name. */
  audited?: string
  /** What a change or a deletion waits for when it is committed, before it is answered. */
  committed?: (db: Db, account: AccountId) => Promise<void>
}

/** What a change of a resource is given. */
interface Called {
  request: FastifyRequest
  reply: FastifyReply
  db: Db
}

/** Of the path of a single one. */
export const Params = Type.Object({ id: Type.String() })

/** The id that a path names. Throws notFound for what is none. */
export function readIdOf<Id extends string | number>(
  { readId, name }: { readId: (text: string) => Id | undefined; name: string },
  text: string,
): Id {
  const id = readId(text)
  if (id === undefined) throw notFound(name, text)
  return id
}

/** Throws 403 where people may not change what is live; its row must be locked. */
export async function refuseLive<Id extends string | number, Body, Shown extends object>(
  tx: Db,
  request: FastifyRequest,
  { live }: Pick<Resource<Id, Body, Shown>, 'live'>,
  id: Id,
): Promise<void> {
  const refusal = live && liveRefusal(request, live)
  if (refusal && (await live?.isLive(tx, request.account, id, request))) throw refusal
}

/** What the audit tells of a resource: `RCS profile` is a `rcs-profile`. */
export function auditOf<Id extends string | number, Body, Shown extends object>({
  audited,
  name,
}: Resource<Id, Body, Shown>): Audited {
  return { object: audited ?? name.toLowerCase().replaceAll(' ', '-') }
}

/**
 * Runs a change, in a transaction that also tells it; with If-Match in the one that first locks the row and compares its
 * representation. `change` is given a handle and opens its transaction on it. Of people whom it may be refused what is live
 * is looked for there, too. Throws 403 for these.
 */
export async function guarded<Id extends string | number, Body, Shown extends object, Result>(
  called: Called,
  resource: Resource<Id, Body, Shown>,
  id: Id,
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { request, reply } = called
  const { read, lock, live, committed } = resource
  const mayBeRefused = live !== undefined && liveRefusal(request, live) !== undefined
  const look = async (tx: Db): Promise<object | null> => (await read?.(tx, request.account, id, request)) ?? null
  const before = async (tx: Db): Promise<object | null> => {
    await lock(tx, request.account, id)
    return look(tx)
  }
  const isDeleted = request.method === 'DELETE' && request.routeOptions.url === `${resource.path}/:id`
  const db = told(request, called.db, isDeleted ? { before } : { before, after: look })
  const checked = async (tx: Db): Promise<Result> => {
    await lock(tx, request.account, id)
    await refuseLive(tx, request, resource, id)
    if (read)
      await checkPrecondition(request, reply, resource.schema.shown, () => read(tx, request.account, id, request))
    return change(tx)
  }
  const isBare = !mayBeRefused && (request.headers['if-match'] === undefined || !read)
  const result = await (isBare ? change(db) : inTransaction(db, checked))
  await committed?.(called.db, request.account)
  return result
}

/** A handle whose transaction makes an object, and tells it as it is read then. */
export function toldCreation<Id extends string | number, Body, Shown extends object>(
  request: FastifyRequest,
  db: Db,
  { read, readId }: Resource<Id, Body, Shown>,
): Db {
  return told(request, db, {
    after: (tx, made) => {
      const id = readId(named(made).id ?? '')
      return id === undefined || !read ? null : read(tx, request.account, id, request)
    },
  })
}

function registerCollection<Id extends string | number, Body, Shown extends object>(
  app: App,
  db: Db,
  resource: Resource<Id, Body, Shown>,
): void {
  const { path, tag, name, schema, list, create, idOf, rights = { read: 'read', write: 'write' } } = resource
  if (list) {
    const query = Type.Object({ ...PageQuery.properties, ...schema.query?.properties })
    const readKey = (value: unknown) =>
      typeof value === 'string' || typeof value === 'number' ? (value as Id) : undefined
    app.get(path, {
      config: { right: rights.read },
      schema: {
        tags: [tag],
        summary: `list every ${name}`,
        querystring: query,
        response: { 200: sent(Type.Array(schema.listed ?? schema.shown)) },
      },
      handler: (request, reply) =>
        sendList(request, reply, {
          rows: (page: Page<Id>) => list(db, request.account, page, request),
          key: (item) => (idOf ? idOf(item as Shown) : (item as { id: Id }).id),
          readKey,
        }),
    })
  }
  if (create) {
    app.post(path, {
      config: { right: rights.write, audit: auditOf(resource) },
      schema: { tags: [tag], summary: `create a ${name}`, body: schema.body, response: { 200: schema.shown } },
      handler: (request) => create(toldCreation(request, db, resource), request.account, request.body as Body),
    })
  }
}

function registerSingle<Id extends string | number, Body, Shown extends object>(
  app: App,
  db: Db,
  resource: Resource<Id, Body, Shown>,
): void {
  const { path, tag, name, schema, read, update, remove, rights = { read: 'read', write: 'write' } } = resource
  const url = `${path}/:id`
  if (read) {
    app.get(url, {
      config: { right: rights.read, etag: true },
      schema: { tags: [tag], summary: `read a ${name}`, params: Params, response: { 200: schema.shown } },
      handler: (request) => read(db, request.account, readIdOf(resource, request.params.id), request),
    })
  }
  if (update) {
    app.put(url, {
      config: { right: rights.write, etag: true, audit: auditOf(resource) },
      schema: {
        tags: [tag],
        summary: `update a ${name}`,
        params: Params,
        body: schema.body,
        response: { 200: schema.shown },
      },
      handler: (request, reply) => {
        const id = readIdOf(resource, request.params.id)
        return guarded({ request, reply, db }, resource, id, (tx) =>
          update(tx, request.account, id, request.body as Body),
        )
      },
    })
  }
  if (remove) {
    app.delete(url, {
      config: { right: rights.write, audit: auditOf(resource) },
      schema: { tags: [tag], summary: `delete a ${name}`, params: Params, response: { 204: Type.Null() } },
      handler: async (request, reply) => {
        const id = readIdOf(resource, request.params.id)
        await guarded({ request, reply, db }, resource, id, (tx) => remove(tx, request.account, id))
        return reply.code(204).send(null)
      },
    })
  }
}

/** Registers the standard operations of a resource: one of the two places where routes are generated. */
export function registerResource<Id extends string | number, Body, Shown extends object>(
  app: App,
  db: Db,
  resource: Resource<Id, Body, Shown>,
): void {
  registerCollection(app, db, resource)
  registerSingle(app, db, resource)
}
