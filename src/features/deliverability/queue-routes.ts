import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import { readDestinationTable } from '../../gateways/smtp-direct/destinations-file.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb } from '../../http/resource/audit-requests.ts'
import { DestinationQueue, QueueOperationBody } from './queue-schemas.ts'
import { listDestinationQueues, operateDestinationQueue } from './queues.ts'

const tags = ['settings']

/** The queues by destination, and an operator's operations on them. */
export function destinationQueueRoutes(app: HttpApp, { db, clock, config }: ServiceContext): void {
  const destinationTable = readDestinationTable(config.destinationsFile)
  app.get('/settings/sending/queues', {
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'list what waits to be sent, by destination and lane',
      operationId: 'listSendingQueues',
      response: { 200: Type.Array(DestinationQueue) },
    },
    handler: ({ account }) => listDestinationQueues(db, account, clock.now()),
  })
  app.post('/settings/sending/queues/:destination', {
    config: { right: 'admin', audit: { object: 'destination', id: 'destination' } },
    schema: {
      tags,
      summary: 'hold, release or flush a destination',
      operationId: 'controlSendingQueue',
      params: Type.Object({ destination: Type.String({ maxLength: 253 }) }),
      body: QueueOperationBody,
      response: { 200: DestinationQueue },
    },
    handler: (request) => {
      const { account, params, body } = request
      return inTransaction(createAuditedDb(request, db, { said: body }), (tx) =>
        operateDestinationQueue(
          { db: tx, table: destinationTable, now: clock.now() },
          account,
          params.destination.toLowerCase(),
          body.operation,
        ),
      )
    },
  })
}
