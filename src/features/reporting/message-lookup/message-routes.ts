import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { readUuid } from '../../../lib/ids.ts'
import { ShownMessage } from './message-schemas.ts'
import { showMessage } from './messages.ts'

/** Messages as they were, of every channel. */
export function messageRoutes(app: App, context: Context): void {
  app.get('/messages/:stamp', {
    config: { right: 'read' },
    schema: {
      tags: ['messages'],
      summary: 'a message as it was',
      description: 'An erased one, and one that is kept no more, is 410.',
      params: Type.Object({ stamp: Type.String({ description: 'id of its stamp' }) }),
      response: { 200: ShownMessage },
    },
    handler: ({ account, params, masking }) => {
      const stamp = readUuid(params.stamp)
      if (stamp === undefined) throw notFound('message', params.stamp)
      return showMessage(context, account, stamp, masking)
    },
  })
}
