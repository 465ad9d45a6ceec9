import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { requirePrecondition } from '../../../http/middleware/conditional.ts'
import { AUDIT_EXEMPTIONS, createAuditedDb, skipRequestAudit } from '../../../http/resource/audit-requests.ts'
import { enterContactWrite } from '../fields/write-lock.ts'
import { createContactShapeCache } from '../values/stored-shape.ts'
import {
  ContactEraseQuery,
  ContactFieldsQuery,
  ContactParams,
  parseContactPath,
  parseContactView,
} from './contact-request.ts'
import { ContactDocument, contactWriteRefusals, FlatMap } from './contact-schemas.ts'
import { updateContact } from './contact-writes.ts'
import { createContactReader, readContact } from './contacts.ts'
import { deleteContact } from './deletion.ts'
import { contactModelMediaTypes, createMediaTypeHook } from './media-types.ts'
import type { ContactPorts } from './ports.ts'
import { lockContactsByIds } from './write.ts'

const tags = ['targets']

/** Runs a change of a contact; with If-Match in the transaction that first locks and compares it. */
async function runConditionally<Result>(
  db: Db,
  contact: number,
  request: FastifyRequest,
  change: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (request.headers['if-match'] === undefined) return change(db)
  const { account } = request
  return inRetriedTransaction(db, async (tx) => {
    await enterContactWrite(tx, account)
    await lockContactsByIds(tx, account, [contact])
    await requirePrecondition(request, ContactDocument, () =>
      readContact(tx, account, contact, parseContactView(request)),
    )
    return change(tx)
  })
}

function registerContactReadAndChange(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  const shapeCache = createContactShapeCache()
  const readCachedContact = createContactReader(shapeCache)
  app.get('/targets/:id', {
    config: { right: 'read', etag: true },
    onSend: createMediaTypeHook(contactModelMediaTypes),
    schema: {
      tags,
      summary: 'Get a contact',
      description:
        'Returns every field of the account, empty ones included, with the bounce flags and suppression ' +
        'list entries of the contact. With one of the model media types in `Accept`, flags and entries are ' +
        'left out.',
      params: ContactParams,
      querystring: ContactFieldsQuery,
      response: { 200: ContactDocument },
    },
    handler: (request) =>
      readCachedContact(
        db,
        request.account,
        parseContactPath(request.params),
        parseContactView(request, request.query.fields),
      ),
  })
  app.put('/targets/:id', {
    config: { right: 'write', etag: true, accepts: contactModelMediaTypes, audit: AUDIT_EXEMPTIONS.contact },
    onSend: createMediaTypeHook(contactModelMediaTypes),
    schema: {
      tags,
      summary: 'Update a contact',
      description:
        'Changes the fields given and returns the contact; absent fields keep their value, and `{}` ' +
        'changes nothing. All invalid values are reported together, and nothing is written. Answers 409 if ' +
        'the new unicity belongs to another contact. Changing an email or phone value clears its bounce ' +
        'flag.',
      refusals: contactWriteRefusals,
      params: ContactParams,
      body: Type.Union([FlatMap, Type.Null()]),
      response: { 200: ContactDocument },
    },
    handler: (request) => {
      const id = parseContactPath(request.params)
      const change = { id, body: request.body ?? {} }
      return runConditionally(db, id, request, (tx) =>
        updateContact(tx, request.account, change, { ...context, view: parseContactView(request), shapes: shapeCache }),
      )
    },
  })
}

function registerContactDeletion(app: HttpApp, context: ServiceContext, ports: ContactPorts): void {
  const { db } = context
  app.delete('/targets/:id', {
    config: { right: 'write', audit: { object: 'contact' } },
    schema: {
      tags,
      summary: 'Delete a contact',
      description:
        'Deletes the contact with its segment memberships, subscriptions, bounce flags and suppression ' +
        'list entries. Messages that have not left yet are cancelled and workflow runs end; events and ' +
        'archives remain. With `erase=true`, personal data in events is emptied and archives are deleted ' +
        'as well; this also works for a contact that was deleted earlier, while data about it remains.',
      params: ContactParams,
      querystring: ContactEraseQuery,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const id = parseContactPath(request.params)
      const erase = request.query.erase === true
      const deletionContext = { ...context, ports, erase }
      if (!erase) skipRequestAudit(request)
      const auditedDb = erase ? createAuditedDb(request, db, { said: { erase } }) : db
      await runConditionally(auditedDb, id, request, (tx) => deleteContact(tx, request.account, id, deletionContext))
      return reply.code(204).send(null)
    },
  })
}

/** One contact by its id. */
export function singleContactRoutes(app: HttpApp, context: ServiceContext, ports: ContactPorts): void {
  registerContactReadAndChange(app, context)
  registerContactDeletion(app, context, ports)
}
