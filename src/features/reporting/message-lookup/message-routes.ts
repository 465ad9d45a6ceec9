import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { MessageResource } from './message-schemas.ts'
import { renderMessageResource } from './messages.ts'

/** Messages as they were, of every channel. */
export function messageLookupRoutes(app: HttpApp, context: ServiceContext): void {
  app.get('/messages/:stamp', {
    config: { right: 'read' },
    schema: {
      tags: ['messages'],
      summary: 'Get a message as it was sent',
      refusals: { 410: 'gone' },
      description:
        'Renders the message again from its own content and the values it used; nothing is sent or recorded. ' +
        'Returns 410 if the contact was erased or the retention of the message has ended.',
      params: Type.Object({ stamp: Type.String({ description: 'ID of the message.' }) }),
      response: { 200: MessageResource },
    },
    handler: ({ account, params, masking }) => {
      const stamp = parseUuid(params.stamp)
      if (stamp === undefined) throw notFoundProblem('message', params.stamp)
      return renderMessageResource(context, account, stamp, masking)
    },
  })
}
