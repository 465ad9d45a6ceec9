import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { type Db, inTransaction } from '../database/connect.ts'
import type { AccountId, Right } from '../lib/account.ts'
import { notFound } from '../lib/problem.ts'
import type { App } from './app-type.ts'
import { checkPrecondition } from './conditional.ts'
import { type Page, PageQuery, sendList, sent } from './list.ts'

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

/** Runs a change; with If-Match in the transaction that first locks the row and compares its representation. */
export async function guarded<Id extends string | number, Body, Shown extends object, Result>(
  { request, reply, db }: Called,
  resource: Resource<Id, Body, Shown>,
  id: Id,
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { read, lock, committed } = resource
  const checked = async (tx: Db): Promise<Result> => {
    await lock(tx, request.account, id)
    if (read)
      await checkPrecondition(request, reply, resource.schema.shown, () => read(tx, request.account, id, request))
    return change(tx)
  }
  const isBare = request.headers['if-match'] === undefined || !read
  const result = await (isBare ? change(db) : inTransaction(db, checked))
  await committed?.(db, request.account)
  return result
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
      config: { right: rights.write },
      schema: { tags: [tag], summary: `create a ${name}`, body: schema.body, response: { 200: schema.shown } },
      handler: ({ body, account }) => create(db, account, body as Body),
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
      config: { right: rights.write, etag: true },
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
      config: { right: rights.write },
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
