import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import { readDestinations } from '../../gateways/smtp-direct/destinations-file.ts'
import type { App } from '../../http/app-type.ts'
import { told } from '../../http/resource/audit.ts'
import { DestinationQueue, QueueOperationBody } from './queue-schemas.ts'
import { listQueues, operateQueue } from './queues.ts'

const tags = ['settings']

/** The queues by destination, and an operator's operations on them. */
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
    config: { right: 'admin', audit: { object: 'destination', id: 'destination' } },
    schema: {
      tags,
      summary: 'hold, release or flush a destination',
      params: Type.Object({ destination: Type.String({ maxLength: 253 }) }),
      body: QueueOperationBody,
      response: { 200: DestinationQueue },
    },
    handler: (request) => {
      const { account, params, body } = request
      return inTransaction(told(request, db, { said: body }), (tx) =>
        operateQueue({ db: tx, table, now: clock.now() }, account, params.destination.toLowerCase(), body.operation),
      )
    },
  })
}
