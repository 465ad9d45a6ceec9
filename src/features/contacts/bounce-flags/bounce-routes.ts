import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../../http/resource/list.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseContactId, parseInt32Id } from '../../../lib/ids.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { ContactParams, parseContactPath } from '../records/contact-request.ts'
import type { ContactPorts } from '../records/ports.ts'
import { type ContactAddressField, clearBounce, setBounce } from './bounce-flags.ts'
import { BounceBody, BouncedContact } from './bounce-schemas.ts'
import { searchBounces } from './bounce-search.ts'

const tags = ['targets']
const OptionalTimestamp = Type.Optional(
  Type.String({
    description: 'Start (inclusive) or end (exclusive) of the period: ISO 8601, or milliseconds since 1970.',
  }),
)
const ContactFieldParams = Type.Object({ ...ContactParams.properties, fieldId: Type.String() })

function parseContactFieldPath(params: { id: string; fieldId: string }): ContactAddressField {
  const contact = parseContactPath(params)
  const fieldId = parseInt32Id(params.fieldId)
  if (fieldId === undefined) throw notFoundProblem('field', params.fieldId)
  return { contact, field: fieldId }
}

function registerBounceSearch(app: HttpApp, { db }: ServiceContext, ports: ContactPorts): void {
  app.get('/targets/bounces', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'Search bounce flags',
      description:
        'Returns the contacts that have matching flags, in order of contact ID, each with the flags that ' +
        'match. `validated` flags are returned only if `type:` names them. An error in `query` is answered ' +
        'with 400 and its position.',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        query: Type.Optional(
          Type.String({
            maxLength: 10_000,
            description:
              'Terms separated by spaces; all must match: `field:101`, `type:hardUser,soft`, `after:2026-01-01` ' +
              '(inclusive), `before:` (exclusive), `segment:41`, `contact:000ABC1D`. Any other word is searched ' +
              'in the address and the message. A leading `-` negates a term. Absent: all flags except `validated`.',
          }),
        ),
        startDate: OptionalTimestamp,
        endDate: OptionalTimestamp,
      }),
      response: { 200: declareStreamedAnswer(Type.Array(BouncedContact)) },
    },
    handler: (request, reply) => {
      const search = {
        query: request.query.query ?? '',
        period: parseTimePeriod(request.query, 'startDate', 'endDate'),
        ports,
        isMasked: request.masking !== null,
      }
      return sendList(request, reply, {
        rows: (page) => searchBounces(db, request.account, search, page),
        key: ({ id }) => parseContactId(id) ?? 0,
        readKey: parseNumericListKey,
      })
    },
  })
}

function registerBounceFlagging(app: HttpApp, { db, clock }: ServiceContext): void {
  app.put('/targets/:id/bounces/:fieldId', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: 'Set a bounce flag',
      description:
        'Flags the address in an email or phone field of the contact, in place of any flag it has. A flag ' +
        'other than `validated` and `soft` stops messages to the address until the flag is cleared or the ' +
        'value changes. `soft` counts as one refusal; `validated` resets that count. The answer is 409 if ' +
        'the contact has no value in the field.',
      operationId: 'setTargetBounce',
      refusals: { 409: 'field-empty' },
      params: ContactFieldParams,
      body: BounceBody,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, params, body }, reply) => {
      await setBounce(db, account, parseContactFieldPath(params), { body, now: new Date(clock.now()) })
      return reply.code(204).send(null)
    },
  })
  app.delete('/targets/:id/bounces/:fieldId', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: 'Clear a bounce flag',
      description:
        'Removes the flag of an address and resets its count of soft bounces. The answer is 204 also if ' +
        'there is no flag.',
      refusals: { 409: 'field-empty' },
      params: ContactFieldParams,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, params }, reply) => {
      await clearBounce(db, account, parseContactFieldPath(params))
      return reply.code(204).send(null)
    },
  })
}

/** Routes that search, set and clear the bounce flags of contact addresses. */
export function bounceRoutes(app: HttpApp, context: ServiceContext, ports: ContactPorts): void {
  registerBounceSearch(app, context, ports)
  registerBounceFlagging(app, context)
}
