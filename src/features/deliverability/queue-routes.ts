import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { readDestinations } from '../../gateways/smtp-direct/destinations-file.ts'
import type { App } from '../../http/app-type.ts'
import { DestinationQueue, QueueOrder } from './queue-schemas.ts'
import { listQueues, orderQueue } from './queues.ts'

const tags = ['settings']

/** What waits to be sent, by destination, and an operator's hand on it. */
export function queueRoutes(app: App, { db, clock, config }: Context): void {
  const table = readDestinations(config.destinationsFile)
  app.get('/settings/sending/queues', {
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'list what waits to be sent, by destination and lane',
      response: { 200: Type.Array(DestinationQueue) },
    },
    handler: ({ account }) => listQueues(db, account, clock.now()),
  })
  app.post('/settings/sending/queues/:destination', {
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'hold, release or flush a destination',
      params: Type.Object({ destination: Type.String({ maxLength: 253 }) }),
      body: QueueOrder,
      response: { 200: DestinationQueue },
    },
    handler: ({ account, params, body }) =>
      orderQueue({ db, table, now: clock.now() }, account, params.destination.toLowerCase(), body.operation),
  })
}
