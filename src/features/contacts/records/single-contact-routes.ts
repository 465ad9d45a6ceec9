import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { App } from '../../../http/app-type.ts'
import { checkPrecondition } from '../../../http/middleware/conditional.ts'
import { leaveUntold, told, UNTOLD } from '../../../http/resource/audit.ts'
import { enterContactWrite } from '../fields/write-lock.ts'
import { shapeCache } from '../values/stored-shape.ts'
import { ContactParams, EraseQuery, FieldsQuery, pathContact, viewOf } from './contact-request.ts'
import { ContactDocument, FlatMap } from './contact-schemas.ts'
import { updateContact } from './contact-writes.ts'
import { contactReader, readContact } from './contacts.ts'
import { deleteContact } from './deletion.ts'
import { answerAs, modelTypes } from './media-types.ts'
import type { Ports } from './ports.ts'
import { lockByIds } from './write.ts'

const tags = ['targets']

/** Runs a change of a contact; with If-Match in the transaction that first locks and compares it. */
async function guarded<Result>(
  db: Db,
  contact: number,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (request.headers['if-match'] === undefined) return change(db)
  const { account } = request
  return inRetriedTransaction(db, async (tx) => {
    await enterContactWrite(tx, account)
    await lockByIds(tx, account, [contact])
    await checkPrecondition(request, reply, ContactDocument, () => readContact(tx, account, contact, viewOf(request)))
    return change(tx)
  })
}

function registerReadAndChange(app: App, context: Context): void {
  const { db } = context
  const shapes = shapeCache()
  const read = contactReader(shapes)
  app.get('/targets/:id', {
    config: { right: 'read', etag: true },
    onSend: answerAs(modelTypes),
    schema: {
      tags,
      summary: 'read a contact',
      params: ContactParams,
      querystring: FieldsQuery,
      response: { 200: ContactDocument },
    },
    handler: (request) => read(db, request.account, pathContact(request.params), viewOf(request, request.query.fields)),
  })
  app.put('/targets/:id', {
    config: { right: 'write', etag: true, accepts: modelTypes, audit: UNTOLD.contact },
    onSend: answerAs(modelTypes),
    schema: {
      tags,
      summary: 'change a contact',
      params: ContactParams,
      body: Type.Union([FlatMap, Type.Null()]),
      response: { 200: ContactDocument },
    },
    handler: (request, reply) => {
      const id = pathContact(request.params)
      const change = { id, body: request.body ?? {} }
      return guarded(db, id, { request, reply }, (tx) =>
        updateContact(tx, request.account, change, { ...context, view: viewOf(request), shapes }),
      )
    },
  })
}

function registerDeletion(app: App, context: Context, ports: Ports): void {
  const { db } = context
  app.delete('/targets/:id', {
    config: { right: 'write', audit: { object: 'contact' } },
    schema: {
      tags,
      summary: 'delete a contact',
      description: 'Erasing, the answer is 204 for a deleted contact too, as long as anything is kept of it.',
      params: ContactParams,
      querystring: EraseQuery,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const id = pathContact(request.params)
      const erase = request.query.erase === true
      const deletion = { ...context, ports, erase }
      if (!erase) leaveUntold(request)
      const handle = erase ? told(request, db, { said: { erase } }) : db
      await guarded(handle, id, { request, reply }, (tx) => deleteContact(tx, request.account, id, deletion))
      return reply.code(204).send(null)
    },
  })
}

/** One contact by its id. */
export function singleContactRoutes(app: App, context: Context, ports: Ports): void {
  registerReadAndChange(app, context)
  registerDeletion(app, context, ports)
}
