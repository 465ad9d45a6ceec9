import { Type } from 'typebox'
import { listFamilyActionTypes } from '../../../channels/action-families.ts'
import { getActionChannel } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { ListSortKey } from '../../../database/rows/sorting.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb, createCopySnapshot } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from '../../../http/resource/list.ts'
import { registerResource } from '../../../http/resource/resource.ts'
import { parseActionId } from '../../../lib/ids.ts'
import { int32Limits } from '../../../lib/int32.ts'
import { type CompiledDesign, compileContentDesign } from '../content/design-content.ts'
import { createValidatedRule } from '../validation/validated-rule.ts'
import { mailSmsActionFormat } from './action-formats.ts'
import { loadAction, lockAction, type StoredAction } from './action-repository.ts'
import { ActionBody, ActionResponse, Int32IdOrZero, ListedAction } from './action-schemas.ts'
import { createAction, deleteAction, presentAction, readAction, updateAction } from './actions.ts'
import { duplicateAction } from './duplication.ts'
import { ActionParams, parseActionRef } from './ids.ts'
import { actionListParameters, createActionKeyReader, parseActionListFilter } from './list-query.ts'
import { attachActionReports, listActions } from './listing.ts'
import { actionStates } from './state-tables.ts'

/** E-mail and SMS actions as a resource. */
export function actionRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const { family } = mailSmsActionFormat
  const types = listFamilyActionTypes(family)
  const now = (): Date => new Date(clock.now())
  registerResource<number, ActionBody, ActionResponse, StoredAction, CompiledDesign | undefined>(app, db, {
    path: '/actions',
    tag: 'actions',
    name: 'action',
    readId: parseActionId,
    schema: { shown: ActionResponse, body: ActionBody },
    operations: {
      create: {
        summary: 'Create an action',
        description:
          'Creates an email or SMS action and returns it in state 20 if it is complete, else in state 10. Absent settings take the defaults of the account. Nothing is created if a category, profile, segment or other object named in the body does not exist.',
        refusals: { 409: 'field-missing content-fixed action-state' },
      },
      read: {
        summary: 'Get an action',
        description: 'Returns the whole action with its content. A deleted action is 404.',
      },
      update: {
        summary: 'Update an action',
        description:
          'Changes the members of the body, merging nested objects and replacing arrays, and returns the action. Every update sets the state to 20, or to 10 if the action is incomplete, and takes back a validation. Refused with 409 during a test or validation, and once a campaign has started.',
        refusals: {
          403: 'approval-required',
          409: 'action-state type-fixed changed-meanwhile field-missing content-fixed',
        },
      },
      remove: {
        summary: 'Delete an action',
        description:
          'Deletes the action; a running test stops, and messages not yet sent are cancelled. Links in messages already sent continue to work. Refused with 409 during a validation and while a campaign is being sent, unless it is paused.',
        refusals: { 403: 'approval-required', 409: 'action-state type-fixed changed-meanwhile' },
      },
    },
    create: async (tx, account, body) => {
      const compiledDesign = await compileContentDesign(context, body, undefined)
      return createAction(tx, mailSmsActionFormat, { account, body, made: compiledDesign }, now())
    },
    read: (tx, account, id) => readAction(tx, mailSmsActionFormat, { account, id }),
    async prepare(handle, { stored, account, id }, body) {
      if (!body.content?.design) return undefined
      const { content } = stored ?? (await loadAction(handle, { family, account, id }))
      return compileContentDesign(context, body, content)
    },
    update: (tx, { stored }, body, compiledDesign) =>
      updateAction(tx, mailSmsActionFormat, stored, { body, made: compiledDesign, now: now() }),
    remove: (tx, { stored }) => deleteAction(tx, family, stored, now()),
    lock: (tx, account, id) => lockAction(tx, { family, account, id }),
    show: (action) => presentAction(mailSmsActionFormat, action),
    live: createValidatedRule(family),
  })
  app.get('/actions', {
    config: { right: 'read' },
    schema: {
      tags: ['actions'],
      summary: 'List the actions',
      description:
        'Deprecated in interface 8.1.0, which names no successor; it continues to work. Returns the email and SMS actions that match the filters, in short form. The default order is by ascending ID. Without `limit` the whole list is streamed.',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        ...actionListParameters,
        type: Type.Optional(
          Type.String({ description: `Types of action, separated by commas: ${types.join(', ')}. Absent: all.` }),
        ),
      }),
      response: { 200: declareStreamedAnswer(Type.Array(ListedAction)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = parseActionListFilter(query, types, actionStates)
      const reportScope = { account, channels: types.map(getActionChannel), isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: ListPageRequest<ListSortKey>) =>
          attachActionReports(db, reportScope, listActions(db, account, filter, page)),
        key: ({ key }) => key,
        readKey: createActionKeyReader(filter),
        show: ({ item }) => item,
      })
    },
  })
  app.post('/actions/:id/duplication', {
    config: { right: 'write', audit: { object: 'action' } },
    schema: {
      tags: ['actions'],
      summary: 'Duplicate an action',
      description:
        'Creates a copy with the next free name, such as `Spring opening (1)`, and returns it in state 10 or 20. Settings, content, category, folder and scheduler are copied, without the start and end dates. State, results and memberships of campaigns are not.',
      refusals: { 403: 'approval-required', 410: 'gone' },
      params: ActionParams,
      querystring: Type.Object({
        type: Type.Optional(
          Type.Integer({
            ...int32Limits,
            description:
              'Type of the copy, of the same channel as the source. 1: `mailMessage`. 2: `mailCampaign`. 3: `smsMessage`. 4: `smsCampaign`. 0 or absent: that of the source.',
          }),
        ),
        folder: Type.Optional({
          ...Int32IdOrZero,
          description: 'ID of the folder of the copy. 0 or absent: that of the source.',
        }),
      }),
      response: { 200: ActionResponse },
    },
    handler: (request) => {
      const { account, params, query } = request
      const options = { type: query.type || undefined, folder: query.folder || undefined }
      return duplicateAction(
        createAuditedDb(request, db, createCopySnapshot(request)),
        mailSmsActionFormat,
        { ...parseActionRef(account, params.id), ...options },
        now(),
      )
    },
  })
}
