import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { told } from '../../../http/resource/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../../http/resource/list.ts'
import { listHeldMessages, placeOf, releaseHeld } from './held.ts'
import { Decided, HeldDecision, HeldMessage } from './held-schemas.ts'

const tags = ['settings']
const config = { right: 'send' } as const

/** Messages held because it is unknown whether they arrived, and the decision on them. */
export function heldRoutes(app: App, { db, clock }: Context): void {
  app.get('/settings/sending/held', {
    config,
    schema: {
      tags,
      summary: 'list held messages: it is unknown whether they arrived',
      querystring: Type.Object({ ...PageQuery.properties, action: Type.Optional(Type.String()) }),
      response: { 200: sent(Type.Array(HeldMessage)) },
    },
    handler: (request, reply) =>
      sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) =>
          listHeldMessages(db, request.account, { ...page, action: request.query.action }),
        key: placeOf,
        readKey: readNumberKey,
      }),
  })
  app.post('/settings/sending/held/release', {
    config: { ...config, audit: { object: 'held-messages' } },
    schema: {
      tags,
      summary: 'send held messages after all, or drop them',
      description: 'Either of one action, or those named; what is not held (any more) is passed over.',
      body: HeldDecision,
      response: { 200: Decided },
    },
    handler: async (request) => {
      const { account, body } = request
      const handle = told(request, db, {
        after: (_, messages) => ({ decision: body.decision, action: body.action ?? null, messages }),
      })
      return { messages: await releaseHeld(handle, account, body, new Date(clock.now())) }
    },
  })
}
