import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { channelOfAction } from '../../../channels/facts.ts'
import { families, typesOf } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { SortKey } from '../../../database/rows/sorting.ts'
import type { App } from '../../../http/app-type.ts'
import { checkPrecondition } from '../../../http/middleware/conditional.ts'
import { copyLook, lookOf, told } from '../../../http/resource/audit.ts'
import { type Page, sendList, sent } from '../../../http/resource/list.ts'
import { patched } from '../../../http/resource/patch.ts'
import {
  auditOf,
  guarded,
  type Resource,
  refuseLive,
  registerResource,
  toldCreation,
} from '../../../http/resource/resource.ts'
import { readBody } from '../../../http/validation/validation.ts'
import { lockAction, type StoredAction } from '../resource/action-repository.ts'
import { createAction, deleteAction, readAction, updateAction } from '../resource/actions.ts'
import { duplicateAction } from '../resource/duplication.ts'
import { ActionParams, refIn } from '../resource/ids.ts'
import { keyReader, readListFilter } from '../resource/list-query.ts'
import { listWhole, type Placed, withShortReports } from '../resource/listing.ts'
import { validatedRule } from '../validation/validated-rule.ts'
import { type ReadParts, rcsDocuments, showRcsAction } from './documents.ts'
import { ListedRcsAction, ListQuery, RcsAction, RcsActionBody, RcsParts, rcsStates } from './rcs-action-schemas.ts'

const family = families.rcs
const types = typesOf(family)
const PATH = '/channel/rcs/actions'
const tags = ['RCS actions']

/** How a request's content is read: by the schema of contents, once it is merged into what is stored. */
function documentsOf(request: FastifyRequest) {
  const readParts: ReadParts = (given) => readBody(request, RcsParts, given)
  return rcsDocuments(readParts)
}

type RcsResource = Resource<number, RcsActionBody, RcsAction>

/** A write: what is brought as content is read with the means of the request. */
function writeRoutes(app: App, { db, clock }: Context, resource: RcsResource): void {
  const now = (): Date => new Date(clock.now())
  const response = { 200: RcsAction }
  const refOf = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) => refIn(family, account, params.id)
  app.post(PATH, {
    config: { right: 'write', audit: auditOf(resource) },
    schema: { tags, summary: 'create an RCS action', body: RcsActionBody, response },
    handler: (request) => {
      const { account, body } = request
      return createAction(toldCreation(request, db, resource), documentsOf(request), { account, body }, now())
    },
  })
  app.put(`${PATH}/:id`, {
    config: { right: 'write', etag: true, audit: auditOf(resource) },
    schema: { tags, summary: 'update an RCS action', params: ActionParams, body: RcsActionBody, response },
    handler: (request, reply) => {
      const ref = refOf(request)
      return guarded({ request, reply, db }, resource, ref.id, (tx) =>
        updateAction(tx, documentsOf(request), { ...ref, body: request.body }, now()),
      )
    },
  })
}

/** A patch: the action is what it leaves. */
function patchRoute(app: App, { db, clock }: Context, resource: RcsResource): void {
  const refOf = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) => refIn(family, account, params.id)
  const patch = async (tx: Db, request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const ref = refOf(request)
    await lockAction(tx, ref)
    await refuseLive(tx, request, resource, ref.id)
    const documents = documentsOf(request)
    const present = await readAction(tx, documents, ref)
    await checkPrecondition(request, reply, RcsAction, async () => present)
    const body = readBody(request, RcsActionBody, patched(request, present))
    return updateAction(tx, documents, { ...ref, body, whole: true }, new Date(clock.now()))
  }
  app.patch(`${PATH}/:id`, {
    config: { right: 'write', etag: true, audit: auditOf(resource) },
    schema: {
      tags,
      summary: 'patch an RCS action',
      description: 'a merge patch (RFC 7396), or operations (RFC 6902)',
      params: ActionParams,
      response: { 200: RcsAction },
    },
    handler: (request, reply) => {
      const ref = refOf(request)
      const look = lookOf(
        (tx) => readAction(tx, documentsOf(request), ref),
        (tx) => lockAction(tx, ref),
      )
      return inTransaction(told(request, db, look), (tx) => patch(tx, request, reply))
    },
  })
}

/** The items of a page as they are shown. */
async function* shownList(listed: AsyncIterable<Placed<StoredAction>>): AsyncGenerator<Placed<RcsAction>> {
  for await (const { item, ...place } of listed) yield { ...place, item: showRcsAction(item) }
}

function listRoute(app: App, db: Db): void {
  app.get(PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list RCS actions',
      querystring: ListQuery,
      response: { 200: sent(Type.Array(ListedRcsAction)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = readListFilter(query, types, rcsStates)
      const of = { account, channels: types.map(channelOfAction), isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: Page<SortKey>) => withShortReports(db, of, shownList(listWhole(db, account, filter, page))),
        key: ({ key }) => key,
        readKey: keyReader(filter),
        show: ({ item }) => item,
      })
    },
  })
}

/** RCS actions as a resource: the twins of those of email and SMS. */
export function rcsActionRoutes(app: App, context: Context): void {
  const { db, clock } = context
  const now = (): Date => new Date(clock.now())
  const shown = rcsDocuments(() => {
    throw new Error('nothing is read here')
  })
  const resource: RcsResource = {
    path: PATH,
    tag: 'RCS actions',
    name: family.title,
    audited: family.sourceKind,
    readId: family.readId,
    schema: { shown: RcsAction, body: RcsActionBody },
    read: (tx, account, id) => readAction(tx, shown, { account, id }),
    remove: (tx, account, id) => deleteAction(tx, { family, account, id }, now()),
    lock: (tx, account, id) => lockAction(tx, { family, account, id }),
    live: validatedRule(family),
  }
  listRoute(app, db)
  registerResource(app, db, resource)
  writeRoutes(app, context, resource)
  patchRoute(app, context, resource)
  app.post(`${PATH}/:id/duplication`, {
    config: { right: 'write', audit: auditOf(resource) },
    schema: { tags, summary: 'copy an RCS action', params: ActionParams, response: { 200: RcsAction } },
    handler: (request) => {
      const { account, params } = request
      const copy = { ...refIn(family, account, params.id), type: undefined, folder: undefined }
      return duplicateAction(told(request, db, copyLook(request)), shown, copy, now())
    },
  })
}
