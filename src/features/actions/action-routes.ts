import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { copyLook, told } from '../../http/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../http/list.ts'
import { registerResource } from '../../http/resource.ts'
import { readActionId } from '../../lib/ids.ts'
import { readPeriod } from '../../lib/period.ts'
import { actionDocuments } from './action-documents.ts'
import { Action, ActionBody, GivenId, ListedAction } from './action-schemas.ts'
import { createAction, deleteAction, readAction, updateAction } from './actions.ts'
import { duplicateAction } from './duplication.ts'
import { ActionParams, refOf } from './ids.ts'
import { listActions } from './listing.ts'
import { lockAction } from './stored.ts'
import { validatedRule } from './validated-rule.ts'

/** E-mail and SMS actions as a resource. */
export function actionRoutes(app: App, { db, clock }: Context): void {
  const { family } = actionDocuments
  const now = (): Date => new Date(clock.now())
  registerResource<number, ActionBody, Action>(app, db, {
    path: '/actions',
    tag: 'actions',
    name: 'action',
    readId: readActionId,
    schema: { shown: Action, body: ActionBody },
    create: (tx, account, body) => createAction(tx, actionDocuments, { account, body }, now()),
    read: (tx, account, id) => readAction(tx, actionDocuments, { account, id }),
    update: (tx, account, id, body) => updateAction(tx, actionDocuments, { account, id, body }, now()),
    remove: (tx, account, id) => deleteAction(tx, { family, account, id }, now()),
    lock: (tx, account, id) => lockAction(tx, { family, account, id }),
    live: validatedRule(family),
  })
  app.get('/actions', {
    config: { right: 'read' },
    schema: {
      tags: ['actions'],
      summary: 'list the actions made in a period',
      querystring: Type.Object({
        ...PageQuery.properties,
        creation_start: Type.Optional(Type.String({ description: 'inclusive' })),
        creation_end: Type.Optional(Type.String({ description: 'exclusive' })),
      }),
      response: { 200: sent(Type.Array(ListedAction)) },
    },
    handler: (request, reply) => {
      const period = readPeriod(request.query, 'creation_start', 'creation_end')
      return sendList(request, reply, {
        rows: (page) => listActions(db, request.account, period, page),
        key: (action) => readActionId(action.id) ?? 0,
        readKey: readNumberKey,
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
          Type.Integer({ description: '1 mailMessage, 2 mailCampaign, 3 smsMessage, 4 smsCampaign; 0: as the source' }),
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
