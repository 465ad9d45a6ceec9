import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/action-families.ts'
import { getActionChannel } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { ListSortKey } from '../../../database/rows/sorting.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb, createCopySnapshot } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, type ListPageRequest, sendList } from '../../../http/resource/list.ts'
import { applyRequestPatch } from '../../../http/resource/patch.ts'
import {
  buildResourceAudit,
  changeResource,
  createAuditedCreationDb,
  type RestResource,
  registerResource,
} from '../../../http/resource/resource.ts'
import { parseRawBodyBySchema } from '../../../http/validation/validation.ts'
import { lockAction, type StoredAction } from '../resource/action-repository.ts'
import { createAction, deleteAction, presentAction, readAction, updateAction } from '../resource/actions.ts'
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

const updateRefusals = {
  403: 'approval-required',
  409: 'action-state type-fixed changed-meanwhile field-missing content-fixed',
}
const RCS_FAMILY = actionFamilies.rcs
const RCS_ACTION_TYPES = listFamilyActionTypes(RCS_FAMILY)
const ACTIONS_PATH = '/channel/rcs/actions'
const ROUTE_TAGS = ['RCS actions']

/** Creates the format for one request: its content is parsed by the schema of contents after the merge into the stored content. */
function createRequestFormat(request: FastifyRequest) {
  const readParts: ParseRcsParts = (rawParts) => parseRawBodyBySchema(request, RcsMessageParts, rawParts)
  return createRcsActionFormat(readParts)
}

type RcsResource = RestResource<number, RcsActionBody, RcsActionResponse, StoredAction>

/** A write: what is brought as content is read with the means of the request. */
function registerWriteRoutes(app: HttpApp, { db, clock }: ServiceContext, resource: RcsResource): void {
  const now = (): Date => new Date(clock.now())
  const response = { 200: RcsActionResponse }
  const parseRef = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) =>
    parseFamilyActionRef(RCS_FAMILY, account, params.id)
  app.post(ACTIONS_PATH, {
    config: { right: 'write', audit: buildResourceAudit(resource) },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Create an RCS action',
      description:
        'Creates an RCS action and returns it in state 20 if it has a profile and a content, else in state 10. Absent settings take the defaults of the account. Nothing is created if a profile, category, segment or topic named in the body does not exist.',
      refusals: { 409: 'field-missing content-fixed action-state' },
      body: RcsActionBody,
      response,
    },
    handler: (request) => {
      const { account, body } = request
      return createAction(
        createAuditedCreationDb(request, db, resource),
        createRequestFormat(request),
        { account, body },
        now(),
      )
    },
  })
  app.put(`${ACTIONS_PATH}/:id`, {
    config: { right: 'write', etag: true, audit: buildResourceAudit(resource) },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Update an RCS action',
      description:
        'Changes the members of the body, merging nested objects and replacing arrays, and returns the action; a content of another type replaces the content as a whole. Every update sets the state to 20, or to 10 if the action is incomplete, and takes back a validation. Refused with 409 once a campaign has started.',
      refusals: updateRefusals,
      params: ActionParams,
      body: RcsActionBody,
      response,
    },
    handler: (request) => {
      const ref = parseRef(request)
      return changeResource({ request, db }, resource, ref.id, {
        change: (tx, { stored }) =>
          updateAction(tx, createRequestFormat(request), stored, { body: request.body, now: now() }),
      })
    },
  })
}

/** A patch: the action is what it leaves. */
function registerPatchRoute(app: HttpApp, { db, clock }: ServiceContext, resource: RcsResource): void {
  const parseRef = ({ account, params }: FastifyRequest<{ Params: { id: string } }>) =>
    parseFamilyActionRef(RCS_FAMILY, account, params.id)
  app.patch(`${ACTIONS_PATH}/:id`, {
    config: { right: 'write', etag: true, audit: buildResourceAudit(resource) },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Patch an RCS action',
      refusals: updateRefusals,
      description:
        'Applies a JSON merge patch (RFC 7396) or a JSON Patch (RFC 6902) to the action as it is returned, and returns the result. Members that the patch removes take their defaults. Has the effects and refusals of an update.',
      params: ActionParams,
      response: { 200: RcsActionResponse },
    },
    handler: (request) => {
      const format = createRequestFormat(request)
      return changeResource({ request, db }, resource, parseRef(request).id, {
        change(tx, { stored }) {
          const patchedAction = applyRequestPatch(request, presentAction(format, stored))
          const body = parseRawBodyBySchema(request, RcsActionBody, patchedAction)
          return updateAction(tx, format, stored, { body, whole: true, now: new Date(clock.now()) })
        },
      })
    },
  })
}

/** The items of a page as they are shown. */
async function* presentItems(
  listed: AsyncIterable<ReportableListItem<StoredAction>>,
): AsyncGenerator<ReportableListItem<RcsActionResponse>> {
  for await (const { item, ...pagePosition } of listed) yield { ...pagePosition, item: toRcsActionResponse(item) }
}

function registerListRoute(app: HttpApp, db: Db): void {
  app.get(ACTIONS_PATH, {
    config: { right: 'read' },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'List the RCS actions',
      description:
        'Returns the RCS actions that match the filters, whole. The default order is by ascending ID. Without `limit` the whole list is streamed.',
      querystring: RcsActionListQuery,
      response: { 200: declareStreamedAnswer(Type.Array(ListedRcsAction)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = parseActionListFilter(query, RCS_ACTION_TYPES, rcsActionStates)
      const reportScope = { account, channels: RCS_ACTION_TYPES.map(getActionChannel), isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: ListPageRequest<ListSortKey>) =>
          attachActionReports(db, reportScope, presentItems(listStoredActions(db, account, filter, page))),
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
  const responseFormat = createRcsActionFormat(() => {
    throw new Error('nothing is read here')
  })
  const resource: RcsResource = {
    path: ACTIONS_PATH,
    tag: 'RCS actions',
    name: RCS_FAMILY.title,
    audited: RCS_FAMILY.sourceKind,
    readId: RCS_FAMILY.readId,
    schema: { shown: RcsActionResponse, body: RcsActionBody },
    operations: {
      read: {
        summary: 'Get an RCS action',
        description: 'Returns the whole action with its content. A deleted action is 404.',
      },
      remove: {
        summary: 'Delete an RCS action',
        description:
          'Deletes the action; messages not yet sent are cancelled. Its events, and the links in messages already sent, remain. Refused with 409 while a campaign is being sent, unless it is paused.',
        refusals: { 403: 'approval-required', 409: 'action-state type-fixed changed-meanwhile' },
      },
    },
    read: (tx, account, id) => readAction(tx, responseFormat, { account, id }),
    remove: (tx, { stored }) => deleteAction(tx, RCS_FAMILY, stored, now()),
    show: (action) => presentAction(responseFormat, action),
    lock: (tx, account, id) => lockAction(tx, { family: RCS_FAMILY, account, id }),
    live: createValidatedRule(RCS_FAMILY),
  }
  registerListRoute(app, db)
  registerResource(app, db, resource)
  registerWriteRoutes(app, context, resource)
  registerPatchRoute(app, context, resource)
  app.post(`${ACTIONS_PATH}/:id/duplication`, {
    config: { right: 'write', audit: buildResourceAudit(resource) },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Duplicate an RCS action',
      description:
        'Creates a copy with the next free name, such as `Spring opening (1)`, and returns it in state 10 or 20. Settings, content, fallback, category, folder and scheduler are copied, without the start and end dates. State, results and memberships of campaigns are not.',
      refusals: { 403: 'approval-required', 410: 'gone' },
      params: ActionParams,
      response: { 200: RcsActionResponse },
    },
    handler: (request) => {
      const { account, params } = request
      const copyTarget = { ...parseFamilyActionRef(RCS_FAMILY, account, params.id), type: undefined, folder: undefined }
      return duplicateAction(
        createAuditedDb(request, db, createCopySnapshot(request)),
        responseFormat,
        copyTarget,
        now(),
      )
    },
  })
}
