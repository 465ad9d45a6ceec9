import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getActionChannel } from '../../../channels/facts.ts'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/families.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { ListSortKey } from '../../../database/rows/sorting.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { requirePrecondition } from '../../../http/middleware/conditional.ts'
import { createAuditedDb, createAuditSnapshot, createCopySnapshot } from '../../../http/resource/audit.ts'
import { declareStreamedAnswer, type ListPageRequest, sendList } from '../../../http/resource/list.ts'
import { applyRequestPatch } from '../../../http/resource/patch.ts'
import {
  buildResourceAudit,
  createAuditedCreationDb,
  type RestResource,
  registerResource,
  requireLiveChangeRight,
  runAuditedChange,
} from '../../../http/resource/resource.ts'
import { parseRawBodyBySchema } from '../../../http/validation/validation.ts'
import { lockAction, type StoredAction } from '../resource/action-repository.ts'
import { createAction, deleteAction, readAction, updateAction } from '../resource/actions.ts'
import { duplicateAction } from '../resource/duplication.ts'
import { ActionParams, parseFamilyActionRef } from '../resource/ids.ts'
import { createActionKeyReader, parseActionListFilter } from '../resource/list-query.ts'
import { attachActionReports, listStoredActions, type ReportableListItem } from '../resource/listing.ts'
import { createValidatedRule } from '../validation/validated-rule.ts'
import { createRcsActionFormat, type ParseRcsParts, toRcsActionResponse } from './documents.ts'
import {
  ListedRcsAction,
  RcsActionBody,
  RcsActionListQuery,
  RcsActionResponse,
  RcsMessageParts,
  rcsActionStates,
} from './rcs-action-schemas.ts'

const family = actionFamilies.rcs
const types = listFamilyActionTypes(family)
const PATH = '/channel/rcs/actions'
const tags = ['RCS actions']

/** How a request's content is read: by the schema of contents, once it is merged into what is stored. */
function documentsOf(request: FastifyRequest) {
  const readParts: ParseRcsParts = (given) => parseRawBodyBySchema(request, RcsMessageParts, given)
  return createRcsActionFormat(readParts)
}

type RcsResource = RestResource<number, RcsActionBody, RcsActionResponse>

/** A write: what is brought as content is read with the means of the request. */
function writeRoutes(app: HttpApp, { db, clock }: ServiceContext, resource: RcsResource): void {
  const now = (): Date => new Date(clock.now())
  const response = { 200: RcsActionResponse }
  const refOf = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) =>
    parseFamilyActionRef(family, account, params.id)
  app.post(PATH, {
    config: { right: 'write', audit: buildResourceAudit(resource) },
    schema: { tags, summary: 'create an RCS action', body: RcsActionBody, response },
    handler: (request) => {
      const { account, body } = request
      return createAction(
        createAuditedCreationDb(request, db, resource),
        documentsOf(request),
        { account, body },
        now(),
      )
    },
  })
  app.put(`${PATH}/:id`, {
    config: { right: 'write', etag: true, audit: buildResourceAudit(resource) },
    schema: { tags, summary: 'update an RCS action', params: ActionParams, body: RcsActionBody, response },
    handler: (request, reply) => {
      const ref = refOf(request)
      return runAuditedChange({ request, reply, db }, resource, ref.id, (tx) =>
        updateAction(tx, documentsOf(request), { ...ref, body: request.body }, now()),
      )
    },
  })
}

/** A patch: the action is what it leaves. */
function patchRoute(app: HttpApp, { db, clock }: ServiceContext, resource: RcsResource): void {
  const refOf = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) =>
    parseFamilyActionRef(family, account, params.id)
  const patch = async (tx: Db, request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
    const ref = refOf(request)
    await lockAction(tx, ref)
    await requireLiveChangeRight(tx, request, resource, ref.id)
    const documents = documentsOf(request)
    const present = await readAction(tx, documents, ref)
    await requirePrecondition(request, reply, RcsActionResponse, async () => present)
    const body = parseRawBodyBySchema(request, RcsActionBody, applyRequestPatch(request, present))
    return updateAction(tx, documents, { ...ref, body, whole: true }, new Date(clock.now()))
  }
  app.patch(`${PATH}/:id`, {
    config: { right: 'write', etag: true, audit: buildResourceAudit(resource) },
    schema: {
      tags,
      summary: 'patch an RCS action',
      description: 'a merge patch (RFC 7396), or operations (RFC 6902)',
      params: ActionParams,
      response: { 200: RcsActionResponse },
    },
    handler: (request, reply) => {
      const ref = refOf(request)
      const look = createAuditSnapshot(
        (tx) => readAction(tx, documentsOf(request), ref),
        (tx) => lockAction(tx, ref),
      )
      return inTransaction(createAuditedDb(request, db, look), (tx) => patch(tx, request, reply))
    },
  })
}

/** The items of a page as they are shown. */
async function* shownList(
  listed: AsyncIterable<ReportableListItem<StoredAction>>,
): AsyncGenerator<ReportableListItem<RcsActionResponse>> {
  for await (const { item, ...place } of listed) yield { ...place, item: toRcsActionResponse(item) }
}

function listRoute(app: HttpApp, db: Db): void {
  app.get(PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list RCS actions',
      querystring: RcsActionListQuery,
      response: { 200: declareStreamedAnswer(Type.Array(ListedRcsAction)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = parseActionListFilter(query, types, rcsActionStates)
      const of = { account, channels: types.map(getActionChannel), isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: ListPageRequest<ListSortKey>) =>
          attachActionReports(db, of, shownList(listStoredActions(db, account, filter, page))),
        key: ({ key }) => key,
        readKey: createActionKeyReader(filter),
        show: ({ item }) => item,
      })
    },
  })
}

/** RCS actions as a resource: the twins of those of email and SMS. */
export function rcsActionRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const now = (): Date => new Date(clock.now())
  const shown = createRcsActionFormat(() => {
    throw new Error('nothing is read here')
  })
  const resource: RcsResource = {
    path: PATH,
    tag: 'RCS actions',
    name: family.title,
    audited: family.sourceKind,
    readId: family.readId,
    schema: { shown: RcsActionResponse, body: RcsActionBody },
    read: (tx, account, id) => readAction(tx, shown, { account, id }),
    remove: (tx, account, id) => deleteAction(tx, { family, account, id }, now()),
    lock: (tx, account, id) => lockAction(tx, { family, account, id }),
    live: createValidatedRule(family),
  }
  listRoute(app, db)
  registerResource(app, db, resource)
  writeRoutes(app, context, resource)
  patchRoute(app, context, resource)
  app.post(`${PATH}/:id/duplication`, {
    config: { right: 'write', audit: buildResourceAudit(resource) },
    schema: { tags, summary: 'copy an RCS action', params: ActionParams, response: { 200: RcsActionResponse } },
    handler: (request) => {
      const { account, params } = request
      const copy = { ...parseFamilyActionRef(family, account, params.id), type: undefined, folder: undefined }
      return duplicateAction(createAuditedDb(request, db, createCopySnapshot(request)), shown, copy, now())
    },
  })
}
