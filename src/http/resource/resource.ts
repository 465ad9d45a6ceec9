import type { FastifyRequest } from 'fastify'
import { type TObject, type TSchema, Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccessRight, AccountId, LockedObject } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { pluralizeNoun, withArticle } from '../../lib/text/nouns.ts'
import type { HttpApp } from '../app-type.ts'
import { requireIfMatch, requirePrecondition } from '../middleware/conditional.ts'
import type { OperationNotes } from '../openapi/document.ts'
import { type AuditObjectRule, createAuditedDb, readAuditedIdentity, recordRequestAct } from './audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from './list.ts'
import { findLiveChangeRefusal, type LiveChangeRule } from './live-writes.ts'

/** The five standard operations of a resource. Those that are absent get no route. */
export interface RestResource<
  Id extends string | number,
  Body,
  Shown extends object,
  Stored extends object = Shown,
  Prepared = void,
> extends ChangedResource<Id, Shown, Stored> {
  /** `/segments`; the single one is `/segments/:id`. */
  path: string
  tag: string
  /** Used in messages: "segment". */
  name: string
  /** Its name in the audit; by default the name of the resource. */
  audited?: string
  /** Reads the id of a path; undefined is 404. */
  readId: (text: string) => Id | undefined
  schema: { shown: TSchema; body: TSchema; listed?: TSchema; query?: TObject }
  /** Texts of single operations, and exceptions to the rules that describe them. */
  operations?: Partial<Record<'list' | 'create' | 'read' | 'update' | 'patch' | 'remove' | 'links', OperationNotes>>
  /** Rights of reading and of writing. */
  rights?: { read: AccessRight; write: AccessRight }
  list?: (db: Db, account: AccountId, page: ListPageRequest<Id>, request: FastifyRequest) => AsyncIterable<unknown>
  /** The id of a listed item, for paging. */
  idOf?: (item: Shown) => Id
  create?: (db: Db, account: AccountId, body: Body) => Promise<Shown>
  read?: (db: Db, account: AccountId, id: Id, request: FastifyRequest) => Promise<Shown>
  /**
   * Long work on a body that needs no lock, such as compiling its design: done before the row is locked, unless something must be checked
   * first, and then with the loaded object. `update` is given what it returns. Throws 400.
   */
  prepare?: (db: Db, target: ChangeTarget<Id, Stored>, body: Body) => Promise<Prepared>
  update?: (tx: Db, locked: LockedObject<Id, Stored>, body: Body, prepared: Prepared) => Promise<Stored>
  remove?: (tx: Db, locked: LockedObject<Id, Stored>) => Promise<void>
}

/** The object that a change is prepared for; loaded if its row is already locked. */
type ChangeTarget<Id, Stored> = Partial<LockedObject<Id, Stored>> & { account: AccountId; id: Id }

/** The part of a resource that each change of an object needs. */
export interface ChangedResource<Id extends string | number, Shown extends object, Stored extends object = Shown> {
  schema: { shown: TSchema }
  /** Locks the row until the transaction ends and loads the object. Throws 404. */
  lock: (tx: Db, account: AccountId, id: Id) => Promise<Stored>
  /** The object as a request sees it; absent when it is stored as it is shown. */
  show?: (stored: Stored, request: FastifyRequest) => Shown
  /** The answer to a change, if it shows more than the object does from then on, such as a secret that was made. */
  showChanged?: (changed: Stored) => Shown
  /** Entity tags of its representations, for If-Match; absent if the object as it is shown is the only one. */
  tagsOf?: (stored: Stored) => readonly string[]
  /** Set if some of the objects are live: people without the right to send cannot change those, and others may need an approval. */
  live?: LiveChangeRule & {
    isLive(tx: Db, locked: LockedObject<Id, Stored>, request: FastifyRequest): boolean | Promise<boolean>
  }
  /** Work that a committed change or deletion waits for before it is answered. */
  committed?: (db: Db, account: AccountId) => Promise<void>
}

/** The input of a change to a resource. */
interface ChangeContext {
  request: FastifyRequest
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

/** The audit rule of a resource: `RCS profile` becomes `rcs-profile`. */
export function buildResourceAudit({ audited, name }: { audited?: string; name: string }): AuditObjectRule {
  return { object: audited ?? name.toLowerCase().replaceAll(' ', '-') }
}

/** The two steps of a change: long work before the row is locked, and the write. */
interface ResourceChange<Id, Stored, Prepared> {
  prepare?: (db: Db, target: ChangeTarget<Id, Stored>) => Promise<Prepared>
  /** Gives the changed object, or null after its deletion. */
  change: (tx: Db, locked: LockedObject<Id, Stored>, prepared: Prepared) => Promise<Stored | null>
}

/**
 * Changes an object in one transaction: locks and loads it, asks whether the person may change it if it is live, obeys If-Match, writes,
 * and records the object before and after. Returns the object as it is shown. Throws 404, 403 and 412, and whatever the steps throw.
 */
export async function changeResource<
  Id extends string | number,
  Shown extends object,
  Stored extends object,
  Prepared = undefined,
>(
  { request, db }: ChangeContext,
  resource: ChangedResource<Id, Shown, Stored>,
  id: Id,
  { prepare, change }: ResourceChange<Id, Stored, Prepared>,
): Promise<Shown> {
  const { lock, live, committed, schema, showChanged, tagsOf } = resource
  const show = (stored: Stored): Shown => (resource.show ? resource.show(stored, request) : (stored as object as Shown))
  const refusal = live && findLiveChangeRefusal(request, live)
  const isChecked = refusal !== undefined || request.headers['if-match'] !== undefined
  const preparedBefore = isChecked ? undefined : await prepare?.(db, { account: request.account, id })
  const answer = await inTransaction(db, async (tx) => {
    const stored = await lock(tx, request.account, id)
    const locked = { account: request.account, id, stored }
    if (refusal && (await live?.isLive(tx, locked, request))) throw refusal
    const before = show(stored)
    if (tagsOf) requireIfMatch(request, tagsOf(stored))
    else await requirePrecondition(request, schema.shown, async () => before)
    const prepared = isChecked ? await prepare?.(tx, locked) : preparedBefore
    const changed = await change(tx, locked, prepared as Prepared)
    const after = changed && show(changed)
    await recordRequestAct(tx, request, { before, after })
    return changed && showChanged ? showChanged(changed) : (after ?? before)
  })
  request.isTold = true
  await committed?.(db, request.account)
  return answer
}

/** A handle whose transaction creates an object and records it as it is read at that point. */
export function createAuditedCreationDb<Id extends string | number>(
  request: FastifyRequest,
  db: Db,
  { read: readObject, readId }: Pick<RestResource<Id, unknown, object>, 'read' | 'readId'>,
): Db {
  return createAuditedDb(request, db, {
    after: (tx, createdObject) => {
      const id = readId(readAuditedIdentity(createdObject).id ?? '')
      return id === undefined || !readObject ? null : readObject(tx, request.account, id, request)
    },
  })
}

function registerCollectionRoutes<
  Id extends string | number,
  Body,
  Shown extends object,
  Stored extends object,
  Prepared,
>(app: HttpApp, db: Db, resource: RestResource<Id, Body, Shown, Stored, Prepared>): void {
  const { path, tag, name, schema, operations, list, create, idOf } = resource
  const { rights = { read: 'read', write: 'write' } } = resource
  if (list) {
    const query = Type.Object({ ...ListPageQuery.properties, ...schema.query?.properties })
    const readKey = (value: unknown) =>
      typeof value === 'string' || typeof value === 'number' ? (value as Id) : undefined
    app.get(path, {
      config: { right: rights.read },
      schema: {
        tags: [tag],
        summary: `List ${pluralizeNoun(name)}`,
        ...operations?.list,
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
      schema: {
        tags: [tag],
        summary: `Create ${withArticle(name)}`,
        ...operations?.create,
        body: schema.body,
        response: { 200: schema.shown },
      },
      handler: (request) =>
        create(createAuditedCreationDb(request, db, resource), request.account, request.body as Body),
    })
  }
}

function registerUpdateRoute<Id extends string | number, Body, Shown extends object, Stored extends object, Prepared>(
  app: HttpApp,
  db: Db,
  resource: RestResource<Id, Body, Shown, Stored, Prepared>,
  update: NonNullable<RestResource<Id, Body, Shown, Stored, Prepared>['update']>,
): void {
  const { path, tag, name, schema, operations, prepare, rights = { read: 'read', write: 'write' } } = resource
  app.put(`${path}/:id`, {
    config: { right: rights.write, etag: true, audit: buildResourceAudit(resource) },
    schema: {
      tags: [tag],
      params: ResourceIdParams,
      summary: `Update ${withArticle(name)}`,
      ...operations?.update,
      body: schema.body,
      response: { 200: schema.shown },
    },
    handler: (request) => {
      const id = parseResourceId(resource, request.params.id)
      const body = request.body as Body
      return changeResource({ request, db }, resource, id, {
        ...(prepare && { prepare: (handle, target) => prepare(handle, target, body) }),
        change: (tx, locked, prepared: Prepared) => update(tx, locked, body, prepared),
      })
    },
  })
}

function registerDeleteRoute<Id extends string | number, Body, Shown extends object, Stored extends object, Prepared>(
  app: HttpApp,
  db: Db,
  resource: RestResource<Id, Body, Shown, Stored, Prepared>,
  remove: NonNullable<RestResource<Id, Body, Shown, Stored, Prepared>['remove']>,
): void {
  const { path, tag, name, operations, rights = { read: 'read', write: 'write' } } = resource
  app.delete(`${path}/:id`, {
    config: { right: rights.write, audit: buildResourceAudit(resource) },
    schema: {
      tags: [tag],
      params: ResourceIdParams,
      summary: `Delete ${withArticle(name)}`,
      ...operations?.remove,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const id = parseResourceId(resource, request.params.id)
      await changeResource({ request, db }, resource, id, {
        change: async (tx, locked) => {
          await remove(tx, locked)
          return null
        },
      })
      return reply.code(204).send(null)
    },
  })
}

function registerItemRoutes<Id extends string | number, Body, Shown extends object, Stored extends object, Prepared>(
  app: HttpApp,
  db: Db,
  resource: RestResource<Id, Body, Shown, Stored, Prepared>,
): void {
  const {
    path,
    tag,
    name,
    schema,
    operations,
    read: readObject,
    update,
    remove,
    rights = { read: 'read', write: 'write' },
  } = resource
  if (readObject) {
    app.get(`${path}/:id`, {
      config: { right: rights.read, etag: true },
      schema: {
        tags: [tag],
        params: ResourceIdParams,
        summary: `Get ${withArticle(name)}`,
        ...operations?.read,
        response: { 200: schema.shown },
      },
      handler: (request) => readObject(db, request.account, parseResourceId(resource, request.params.id), request),
    })
  }
  if (update) registerUpdateRoute(app, db, resource, update)
  if (remove) registerDeleteRoute(app, db, resource, remove)
}

/** Registers the standard operations of a resource: one of the two places where routes are generated. */
export function registerResource<
  Id extends string | number,
  Body,
  Shown extends object,
  Stored extends object = Shown,
  Prepared = void,
>(app: HttpApp, db: Db, resource: RestResource<Id, Body, Shown, Stored, Prepared>): void {
  registerCollectionRoutes(app, db, resource)
  registerItemRoutes(app, db, resource)
}
