import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { UNTOLD } from '../../http/resource/audit.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readUuid } from '../../lib/ids.ts'
import { ContactParams } from '../contacts/records/contact-request.ts'
import { contactNamed } from '../contacts/records/find.ts'
import { readPut } from './read-put.ts'
import { deleteOfContacts, deleteSubscription } from './removal.ts'
import { ContactQuery, Subscription, SubscriptionBody } from './subscription-schemas.ts'
import { contactOfQuery, putSubscription, readSubscription, subscriptionsOf } from './subscriptions.ts'

const tags = ['subscriptions']
const Params = Type.Object({ id: Type.String() })
const Deleted = { 204: Type.Null() }

function idOf({ id }: { id: string }): string {
  const uuid = readUuid(id)
  if (uuid === undefined) throw notFound('subscription', id)
  return uuid
}

function singleRoutes(app: App, { db, clock, config }: Context): void {
  app.put('/subscriptions', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags,
      summary: 'create or change a subscription',
      description: 'Takes its token over from an older subscription, and is not muted any more.',
      body: SubscriptionBody,
      response: { 200: Subscription },
    },
    handler: ({ account, apiKey, body }) => {
      const put = readPut(body, { isDevice: false, pushHosts: config.pushHosts })
      return putSubscription(db, account, put, { now: new Date(clock.now()), user: apiKey })
    },
  })
  app.get('/subscriptions/:id', {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read a subscription', params: Params, response: { 200: Subscription } },
    handler: ({ account, params }) => readSubscription(db, account, idOf(params)),
  })
  app.delete('/subscriptions/:id', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: { tags, summary: 'delete a subscription', params: Params, response: Deleted },
    handler: async ({ account, params }, reply) => {
      await deleteSubscription(db, account, idOf(params))
      return reply.code(204).send(null)
    },
  })
}

/** The subscriptions of contacts: devices that use the applications of an account. */
export function subscriptionRoutes(app: App, context: Context): void {
  const { db } = context
  singleRoutes(app, context)
  const listed = { 200: Type.Array(Subscription) }
  const byContact = { tags, summary: 'subscriptions of a contact', params: ContactParams }
  const byQuery = { tags, summary: 'subscriptions of a contact by its unicity or hash', querystring: ContactQuery }
  app.get('/targets/:id/subscriptions', {
    config: { right: 'read' },
    schema: { ...byContact, response: listed },
    handler: async ({ account, params }) => subscriptionsOf(db, account, await contactNamed(db, account, params.id)),
  })
  app.delete('/targets/:id/subscriptions', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: { ...byContact, summary: 'delete the subscriptions of a contact', response: Deleted },
    handler: async ({ account, params }, reply) => {
      await deleteOfContacts(db, account, [await contactNamed(db, account, params.id)])
      return reply.code(204).send(null)
    },
  })
  app.get('/targets/subscriptions', {
    config: { right: 'read' },
    schema: { ...byQuery, response: listed },
    handler: async ({ account, query }) => subscriptionsOf(db, account, await contactOfQuery(db, account, query)),
  })
  app.delete('/targets/subscriptions', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: { ...byQuery, summary: 'delete the subscriptions of a contact by its unicity or hash', response: Deleted },
    handler: async ({ account, query }, reply) => {
      await deleteOfContacts(db, account, [await contactOfQuery(db, account, query)])
      return reply.code(204).send(null)
    },
  })
}
