import { Type } from 'typebox'
import { channelOfAction } from '../../../channels/facts.ts'
import { typesOf } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import type { SortKey } from '../../../database/rows/sorting.ts'
import type { App } from '../../../http/app-type.ts'
import { copyLook, told } from '../../../http/resource/audit.ts'
import { type Page, PageQuery, sendList, sent } from '../../../http/resource/list.ts'
import { registerResource } from '../../../http/resource/resource.ts'
import { readActionId } from '../../../lib/ids.ts'
import { int32 } from '../../../lib/int32.ts'
import { makeDesign } from '../content/design-content.ts'
import { validatedRule } from '../validation/validated-rule.ts'
import { actionDocuments } from './action-formats.ts'
import { loadAction, lockAction } from './action-repository.ts'
import { Action, ActionBody, GivenId, ListedAction } from './action-schemas.ts'
import { createAction, deleteAction, readAction, updateAction } from './actions.ts'
import { duplicateAction } from './duplication.ts'
import { ActionParams, refOf } from './ids.ts'
import { actionListParameters, keyReader, readListFilter } from './list-query.ts'
import { listActions, withShortReports } from './listing.ts'
import { states } from './state-tables.ts'

/** E-mail and SMS actions as a resource. */
export function actionRoutes(app: App, context: Context): void {
  const { db, clock } = context
  const { family } = actionDocuments
  const types = typesOf(family)
  const now = (): Date => new Date(clock.now())
  registerResource<number, ActionBody, Action>(app, db, {
    path: '/actions',
    tag: 'actions',
    name: 'action',
    readId: readActionId,
    schema: { shown: Action, body: ActionBody },
    create: async (tx, account, body) => {
      const made = await makeDesign(context, body, undefined)
      return createAction(tx, actionDocuments, { account, body, made }, now())
    },
    read: (tx, account, id) => readAction(tx, actionDocuments, { account, id }),
    update: async (tx, account, id, body) => {
      const stored = body.content?.design ? (await loadAction(tx, { family, account, id })).content : undefined
      const made = await makeDesign(context, body, stored)
      return updateAction(tx, actionDocuments, { account, id, body, made }, now())
    },
    remove: (tx, account, id) => deleteAction(tx, { family, account, id }, now()),
    lock: (tx, account, id) => lockAction(tx, { family, account, id }),
    live: validatedRule(family),
  })
  app.get('/actions', {
    config: { right: 'read' },
    schema: {
      tags: ['actions'],
      summary: 'list actions',
      querystring: Type.Object({
        ...PageQuery.properties,
        ...actionListParameters,
        type: Type.Optional(Type.String({ description: `of ${types.join(', ')}, separated by commas` })),
      }),
      response: { 200: sent(Type.Array(ListedAction)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = readListFilter(query, types, states)
      const of = { account, channels: types.map(channelOfAction), isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: Page<SortKey>) => withShortReports(db, of, listActions(db, account, filter, page)),
        key: ({ key }) => key,
        readKey: keyReader(filter),
        show: ({ item }) => item,
      })
    },
  })
  app.post('/actions/:id/duplication', {
    config: { right: 'write', audit: { object: 'action' } },
    schema: {
      tags: ['actions'],
      summary: 'copy an action',
      params: ActionParams,
      querystring: Type.Object({
        type: Type.Optional(
          Type.Integer({
            ...int32,
            description: '1 mailMessage, 2 mailCampaign, 3 smsMessage, 4 smsCampaign; 0: as the source',
          }),
        ),
        folder: Type.Optional(GivenId),
      }),
      response: { 200: Action },
    },
    handler: (request) => {
      const { account, params, query } = request
      const options = { type: query.type || undefined, folder: query.folder || undefined }
      return duplicateAction(
        told(request, db, copyLook(request)),
        actionDocuments,
        { ...refOf(account, params.id), ...options },
        now(),
      )
    },
  })
}
