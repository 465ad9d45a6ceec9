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
      summary: 'Create or update a subscription',
      operationId: 'putSubscription',
      refusals: { 409: 'other-application' },
      description:
        'Registers an installation of an application, or updates it if the ID exists, and returns it; the ' +
        'device is no longer muted. An older subscription of the application with the same token is ' +
        'deleted. A contact has at most 50 subscriptions of an application; one more deletes the one ' +
        'changed longest ago. The answer is 409 if the ID belongs to another application.',
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
      summary: 'Get a subscription',
      description: 'Returns a subscription with its contact and provider address.',
      params: SubscriptionParams,
      response: { 200: SubscriptionResource },
    },
    handler: ({ account, params }) => loadSubscription(db, account, parseSubscriptionId(params)),
  })
  app.delete('/subscriptions/:id', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: 'Delete a subscription',
      description:
        'Deletes a subscription: nothing is sent to the device until it registers again. A repeat is ' +
        'answered with 404.',
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
  const byContact = {
    tags,
    summary: 'List the subscriptions of a contact',
    description: 'Returns the devices of the contact in the order of their creation.',
    params: ContactParams,
  }
  const querySchema = {
    tags,
    summary: 'List the subscriptions of an identified contact',
    description:
      'Returns the devices of the contact in the order of their creation. An unknown contact is answered ' +
      'with 404, and anything but exactly one of `unicity` and `hash` with 400.',
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
    schema: {
      ...byContact,
      summary: 'Delete the subscriptions of a contact',
      description: 'Deletes all subscriptions of the contact; the answer is 204 also if there are none.',
      response: NoContentResponse,
    },
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
      summary: 'Delete the subscriptions of an identified contact',
      description:
        'Deletes all subscriptions of the contact; the answer is 204 also if there are none. An unknown ' +
        'contact is answered with 404, and anything but exactly one of `unicity` and `hash` with 400.',
      operationId: 'deleteTargetSubscriptionsByQuery',
      response: NoContentResponse,
    },
    handler: async ({ account, query }, reply) => {
      await deleteContactSubscriptions(db, account, [await loadQueriedContact(db, account, query)])
      return reply.code(204).send(null)
    },
  })
}
