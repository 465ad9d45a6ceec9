import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../../http/resource/list.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { readContactId, readIntId } from '../../../lib/ids.ts'
import { readPeriod } from '../../../lib/time/period.ts'
import { ContactParams, pathContact } from '../records/contact-request.ts'
import type { Ports } from '../records/ports.ts'
import { BounceBody, BouncedContact } from './bounce-schemas.ts'
import { searchBounces } from './bounce-search.ts'
import { type AddressPlace, clearBounce, setBounce } from './bounces.ts'

const tags = ['targets']
const date = Type.Optional(Type.String({ description: 'ISO 8601, or milliseconds since 1970' }))
const PlaceParams = Type.Object({ ...ContactParams.properties, fieldId: Type.String() })

function pathPlace(params: { id: string; fieldId: string }): AddressPlace {
  const contact = pathContact(params)
  const field = readIntId(params.fieldId)
  if (field === undefined) throw notFound('field', params.fieldId)
  return { contact, field }
}

function registerSearch(app: App, { db }: Context, ports: Ports): void {
  app.get('/targets/bounces', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'search bounce flags',
      querystring: Type.Object({
        ...PageQuery.properties,
        query: Type.Optional(
          Type.String({
            maxLength: 10_000,
            description: 'for example: field:101 type:hardUser after:2026-01-01 example.org',
          }),
        ),
        startDate: date,
        endDate: date,
      }),
      response: { 200: sent(Type.Array(BouncedContact)) },
    },
    handler: (request, reply) => {
      const search = {
        query: request.query.query ?? '',
        period: readPeriod(request.query, 'startDate', 'endDate'),
        ports,
        isMasked: request.masking !== null,
      }
      return sendList(request, reply, {
        rows: (page) => searchBounces(db, request.account, search, page),
        key: ({ id }) => readContactId(id) ?? 0,
        readKey: readNumberKey,
      })
    },
  })
}

function registerFlagging(app: App, { db, clock }: Context): void {
  app.put('/targets/:id/bounces/:fieldId', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags,
      summary: 'flag an address of a contact',
      params: PlaceParams,
      body: BounceBody,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, params, body }, reply) => {
      await setBounce(db, account, pathPlace(params), { body, now: new Date(clock.now()) })
      return reply.code(204).send(null)
    },
  })
  app.delete('/targets/:id/bounces/:fieldId', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: { tags, summary: 'clear the flag of an address', params: PlaceParams, response: { 204: Type.Null() } },
    handler: async ({ account, params }, reply) => {
      await clearBounce(db, account, pathPlace(params))
      return reply.code(204).send(null)
    },
  })
}

/** What is known to be wrong with the addresses of contacts. */
export function bounceRoutes(app: App, context: Context, ports: Ports): void {
  registerSearch(app, context, ports)
  registerFlagging(app, context)
}
