import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { type ContactLookup, findContacts } from '../../contacts/records/find.ts'
import { PushRenderItem as Item, type PushRenderItem, PushRenderResult } from '../item-schemas.ts'
import { parseNotificationKey } from '../keys.ts'
import { notificationChangeRefusals } from '../notification-schemas.ts'
import { loadNotification } from '../stored.ts'
import { renderNotification, requirePushVersion } from './renders.ts'

const ROUTE_TAGS = ['notifications']

const MasterParams = Type.Object({ id: Type.String() })
const VersionParams = Type.Object({ ...MasterParams.properties, version: Type.String() })
const ContactQuery = Type.Object({
  unicity: Type.Optional(
    Type.String({ description: 'Concatenated unicity of the contact. Give either `unicity` or `hash`.' }),
  ),
  hash: Type.Optional(
    Type.String({ description: 'Hash of the contact: 32 hexadecimal digits. Give either `unicity` or `hash`.' }),
  ),
})

/** The master's operations, and the same for one version. */
const ROUTE_FORMS = [
  {
    path: '/notifications/:id',
    params: MasterParams,
    what: 'the master version of a notification',
    noun: 'Notification',
  },
  {
    path: '/notifications/:id/versions/:version',
    params: VersionParams,
    what: 'a version of a notification',
    noun: 'NotificationVersion',
  },
] as const

const pushRenderRefusals = { 409: 'content-fixed content-missing link-unknown action-state', 410: 'gone' }
const renderedItemRefusals = {
  ...notificationChangeRefusals,
  409: `${pushRenderRefusals[409]} ${notificationChangeRefusals[409]}`,
}

type RenderRequest = FastifyRequest<{ Params: { id: string; version?: string } }>

/** The contact that a query names. Throws 400 unless it has exactly one of the two. */
function parseContactQuery({ unicity, hash }: { unicity?: string; hash?: string }): ContactLookup {
  if ((unicity === undefined) === (hash === undefined))
    throw badRequestProblem('unicity', 'exactly one of unicity and hash is required')
  return unicity === undefined ? { type: 'hash', value: hash! } : { type: 'unicity', value: unicity }
}

/** Looks at notifications as they would be sent: for what a body gives, or for a contact of the path or the query. */
export function pushRenderRoutes(app: HttpApp, context: ServiceContext): void {
  const renderRequested = (request: RenderRequest, item: PushRenderItem) =>
    renderNotification(context, parseNotificationKey(request), {
      version: request.params.version ?? null,
      item,
      personal: request.masking,
    })

  async function renderFor(request: RenderRequest, sought: ContactLookup) {
    requirePushVersion(
      await loadNotification(context.db, parseNotificationKey(request)),
      request.params.version ?? null,
    )
    const [contact] = await findContacts(context.db, request.account, [sought])
    if (!contact) throw notFoundProblem('contact', sought.type === 'footprint' ? sought.id : String(sought.value))
    return renderRequested(request, { receiver: { type: 'hash', value: contact.hash } })
  }

  for (const { path, params, what: subjectText, noun } of ROUTE_FORMS) {
    app.post(`${path}/render`, {
      config: { right: 'read' },
      schema: {
        tags: ROUTE_TAGS,
        summary: `Render ${subjectText}`,
        description:
          'Returns the message as a device would receive it, with the contact, the values and the replacements of the ' +
          'body. Nothing is sent or stored. An unknown recipient or a template that fails is an error in the result.',
        refusals: renderedItemRefusals,
        params,
        body: Item,
        response: { 200: PushRenderResult },
      },
      handler: (request) => renderRequested(request, request.body),
    })
    app.get(`${path}/render/contact/:contact`, {
      config: { right: 'read' },
      schema: {
        tags: ROUTE_TAGS,
        summary: `Render ${subjectText} for a contact`,
        description:
          'Returns the message as the latest device of the contact would receive it. Nothing is sent or stored. A template ' +
          'that fails is an error in the result; an unknown contact is answered with 404.',
        operationId: `render${noun}ForContact`,
        refusals: pushRenderRefusals,
        params: Type.Object({ ...params.properties, contact: Type.String() }),
        response: { 200: PushRenderResult },
      },
      handler: (request) => renderFor(request, { type: 'id', value: request.params.contact }),
    })
    app.get(`${path}/render/contact`, {
      config: { right: 'read' },
      schema: {
        tags: ROUTE_TAGS,
        summary: `Render ${subjectText} for an identified contact`,
        description:
          'Returns the message as the latest device of the contact would receive it. Nothing is sent or stored. A template ' +
          'that fails is an error in the result; an unknown contact is answered with 404, and anything but exactly one of ' +
          '`unicity` and `hash` with 400.',
        operationId: `render${noun}ForContactByQuery`,
        refusals: pushRenderRefusals,
        params,
        querystring: ContactQuery,
        response: { 200: PushRenderResult },
      },
      handler: (request) => renderFor(request, parseContactQuery(request.query)),
    })
  }
}
