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
      summary: 'List the sending queues',
      description:
        'Returns the messages that wait to be sent, by destination and lane, with the state of each ' +
        'destination: its limits, suspensions and last refusal.',
      operationId: 'listSendingQueues',
      response: { 200: Type.Array(DestinationQueue) },
    },
    handler: ({ account }) => listDestinationQueues(db, account, clock.now()),
  })
  app.post('/settings/sending/queues/:destination', {
    config: { right: 'admin', audit: { object: 'destination', id: 'destination' } },
    schema: {
      tags,
      summary: 'Control the queue of a destination',
      description:
        'Holds, releases or flushes the messages of the account to a destination and returns its queue. ' +
        '`hold` stops them until a release. `release` ends a hold, and the messages are due again. `flush` ' +
        'makes all waiting messages due now. A destination that is neither known nor in use is answered ' +
        'with 404.',
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
