import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../../http/resource/list.ts'
import { applyHeldDecision, heldMessageCursor, listHeldMessages } from './held.ts'
import { HeldDecision, HeldDecisionResult, HeldMessage } from './held-schemas.ts'

const ROUTE_TAGS = ['settings']
const ROUTE_CONFIG = { right: 'send' } as const

/** Messages held because it is unknown whether they arrived, and the decision on them. */
export function heldMessageRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/settings/sending/held', {
    config: ROUTE_CONFIG,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'List the held messages',
      description:
        'Returns the messages whose delivery is in doubt because the hand-over was cut off without an answer. They are neither sent nor dropped until a decision is made.',
      operationId: 'listHeldMessages',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        action: Type.Optional(
          Type.String({ description: 'ID of the action, email, SMS or RCS. Absent: messages of every action.' }),
        ),
      }),
      response: { 200: declareStreamedAnswer(Type.Array(HeldMessage)) },
    },
    handler: (request, reply) =>
      sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) =>
          listHeldMessages(db, request.account, { ...page, action: request.query.action }),
        key: heldMessageCursor,
        readKey: parseNumericListKey,
      }),
  })
  app.post('/settings/sending/held/release', {
    config: { ...ROUTE_CONFIG, audit: { object: 'held-messages' } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Send or drop held messages',
      operationId: 'releaseHeldMessages',
      description:
        'Decides on every held message of one action, or on the messages named; give exactly one of `action` and `messages`. Messages that are not held are skipped. Returns the number of messages decided on.',
      body: HeldDecision,
      response: { 200: HeldDecisionResult },
    },
    handler: async (request) => {
      const { account, body } = request
      const auditedDb = createAuditedDb(request, db, {
        after: (_, messages) => ({ decision: body.decision, action: body.action ?? null, messages }),
      })
      return { messages: await applyHeldDecision(auditedDb, account, body, new Date(clock.now())) }
    },
  })
}
