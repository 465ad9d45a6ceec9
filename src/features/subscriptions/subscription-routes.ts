import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../http/resource/audit-requests.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { ContactParams } from '../contacts/records/contact-request.ts'
import { resolveContactId } from '../contacts/records/find.ts'
import { parseSubscriptionPut } from './read-put.ts'
import { deleteContactSubscriptions, deleteSubscription } from './removal.ts'
import { SubscriptionBody, SubscriptionContactQuery, SubscriptionResource } from './subscription-schemas.ts'
import { listContactSubscriptions, loadQueriedContact, loadSubscription, putSubscription } from './subscriptions.ts'

const tags = ['subscriptions']
const SubscriptionParams = Type.Object({ id: Type.String() })
const NoContentResponse = { 204: Type.Null() }

function parseSubscriptionId({ id }: { id: string }): string {
  const uuid = parseUuid(id)
  if (uuid === undefined) throw notFoundProblem('subscription', id)
  return uuid
}

function registerSingleRoutes(app: HttpApp, { db, clock, config }: ServiceContext): void {
  app.put('/subscriptions', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: 'create or change a subscription',
      operationId: 'putSubscription',
      refusals: { 409: 'other-application' },
      description: 'Takes its token over from an older subscription, and is not muted any more.',
      body: SubscriptionBody,
      response: { 200: SubscriptionResource },
    },
    handler: ({ account, apiKey, body }) => {
      const subscriptionPut = parseSubscriptionPut(body, { isDevice: false, pushHosts: config.pushHosts })
      return putSubscription(db, account, subscriptionPut, { now: new Date(clock.now()), user: apiKey })
    },
  })
  app.get('/subscriptions/:id', {
    config: { right: 'read', etag: true },
    schema: {
      tags,
      summary: 'read a subscription',
      params: SubscriptionParams,
      response: { 200: SubscriptionResource },
    },
    handler: ({ account, params }) => loadSubscription(db, account, parseSubscriptionId(params)),
  })
  app.delete('/subscriptions/:id', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: 'delete a subscription',
      refusals: { 409: 'other-application' },
      params: SubscriptionParams,
      response: NoContentResponse,
    },
    handler: async ({ account, params }, reply) => {
      await deleteSubscription(db, account, parseSubscriptionId(params))
      return reply.code(204).send(null)
    },
  })
}

/** The subscriptions of contacts: devices that use the applications of an account. */
export function subscriptionRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  registerSingleRoutes(app, context)
  const listResponse = { 200: Type.Array(SubscriptionResource) }
  const byContact = { tags, summary: 'subscriptions of a contact', params: ContactParams }
  const querySchema = {
    tags,
    summary: 'subscriptions of a contact by its unicity or hash',
    querystring: SubscriptionContactQuery,
  }
  app.get('/targets/:id/subscriptions', {
    config: { right: 'read' },
    schema: { ...byContact, response: listResponse },
    handler: async ({ account, params }) =>
      listContactSubscriptions(db, account, await resolveContactId(db, account, params.id)),
  })
  app.delete('/targets/:id/subscriptions', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: { ...byContact, summary: 'delete the subscriptions of a contact', response: NoContentResponse },
    handler: async ({ account, params }, reply) => {
      await deleteContactSubscriptions(db, account, [await resolveContactId(db, account, params.id)])
      return reply.code(204).send(null)
    },
  })
  app.get('/targets/subscriptions', {
    config: { right: 'read' },
    schema: { ...querySchema, operationId: 'listTargetSubscriptionsByQuery', response: listResponse },
    handler: async ({ account, query }) =>
      listContactSubscriptions(db, account, await loadQueriedContact(db, account, query)),
  })
  app.delete('/targets/subscriptions', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      ...querySchema,
      summary: 'delete the subscriptions of a contact by its unicity or hash',
      operationId: 'deleteTargetSubscriptionsByQuery',
      response: NoContentResponse,
    },
    handler: async ({ account, query }, reply) => {
      await deleteContactSubscriptions(db, account, [await loadQueriedContact(db, account, query)])
      return reply.code(204).send(null)
    },
  })
}
