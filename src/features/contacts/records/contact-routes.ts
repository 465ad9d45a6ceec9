import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { leaveUntold, told, UNTOLD } from '../../../http/resource/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../../http/resource/list.ts'
import { sendJob, wantsAsync } from '../../../http/resource/prefer.ts'
import { wantsStrict } from '../../../http/validation/validation.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import { readContactId } from '../../../lib/ids.ts'
import { Job } from '../../jobs/job-schemas.ts'
import { bulkUpsert } from '../bulk/bulk-upsert.ts'
import { type ContactWriter, contactWriter } from '../bulk/grouped-writes.ts'
import { readSelectionChange } from '../bulk/selection-change.ts'
import { startChange, startDeletion } from '../bulk/selection-jobs.ts'
import { changeSelected, deleteSelected } from '../bulk/selections.ts'
import { EraseQuery, FieldsQuery, viewOf } from './contact-request.ts'
import {
  BulkItem,
  ContactDocument,
  DeletedContact,
  FlatMap,
  Resolved,
  Selection,
  SelectionCounts,
} from './contact-schemas.ts'
import { countContacts, listContacts, lookUpContact } from './contacts.ts'
import { answerAs, asked, deletionTypes, modelTypes } from './media-types.ts'
import type { Ports } from './ports.ts'
import { resolveItem, resolveItems } from './resolve.ts'

const tags = ['targets']
const read = { right: 'read' } as const
const write = { right: 'write', accepts: modelTypes } as const
/** Of many contacts at once it is told; what is done to one after the other are events. */
const many = { ...write, audit: { object: 'selection' } } as const
const MAX_ITEMS = 1000

const asJob = 'With Prefer: respond-async the answer is 202 with a job, whose result is the answer else given.'

const unicity = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'the concatenated unicity; repeated: one value per unicity field, in ascending order of field ids',
  }),
)

/** What the audit says of a selection: the contacts it names are not in it. */
function saidOf({ type, value }: Selection): object {
  if (type === 'segment') return { selection: { type, value } }
  if (type === 'search') return { selection: { type, criteria: value.criteria, query: Boolean(value.query) } }
  return { selection: { type, count: value.length } }
}

/** The functions that write contacts: one by one, and by selections. */
interface Writers {
  writer: ContactWriter
  ports: Ports
}

/** The list, which is also where a contact is looked up. */
function registerList(app: App, { db }: Context): void {
  app.get('/targets', {
    config: read,
    onSend: answerAs(modelTypes),
    schema: {
      tags,
      summary: 'list contacts, or look one up by unicity or hash',
      description: 'An unknown unicity or hash is answered with 404 and an empty body.',
      querystring: Type.Object({
        ...PageQuery.properties,
        ...FieldsQuery.properties,
        unicity,
        hash: Type.Optional(Type.String()),
      }),
      response: {
        200: Type.Union([sent(Type.Array(ContactDocument)), ContactDocument]),
        404: Type.String({ maxLength: 0 }),
      },
    },
    handler: async (request, reply) => {
      const { unicity, hash, fields } = request.query
      const view = viewOf(request, fields)
      if (unicity !== undefined && hash !== undefined) throw badRequest('hash', 'cannot be given beside unicity')
      if (unicity === undefined && hash === undefined) {
        return sendList(request, reply, {
          rows: (page) => listContacts(db, request.account, page, view),
          key: (contact) => readContactId(contact.id) ?? 0,
          readKey: readNumberKey,
        })
      }
      const sought = unicity !== undefined ? { unicity } : { hash: hash ?? '' }
      const contact = await lookUpContact(db, request.account, sought, view)
      return contact ?? reply.code(404).type('text/plain').send('')
    },
  })
}

function registerFinding(app: App, { db }: Context): void {
  app.get('/targets/count', {
    config: read,
    schema: { tags, summary: 'count contacts', response: { 200: Type.Object({ targetsCount: Type.Integer() }) } },
    handler: async ({ account }) => ({ targetsCount: await countContacts(db, account) }),
  })
  app.post('/targets/resolve', {
    config: { ...read, accepts: modelTypes },
    schema: {
      tags,
      summary: 'find contacts by identifications or flat maps; nothing is created',
      body: Type.Union([
        Type.Array(Type.Unknown(), { maxItems: MAX_ITEMS }),
        Type.Record(Type.String(), Type.Unknown(), { description: 'one item, answered with one object' }),
      ]),
      response: { 200: Type.Union([Type.Array(Resolved), Resolved]) },
    },
    handler: async ({ body, account }) =>
      Array.isArray(body) ? resolveItems(db, account, body) : resolveItem(db, account, body),
  })
}

function registerCreation(app: App, context: Context, writer: ContactWriter): void {
  app.post('/targets', {
    config: { ...write, audit: UNTOLD.contact },
    onSend: answerAs(modelTypes),
    schema: {
      tags,
      summary: 'create a contact',
      querystring: Type.Object({ unicity }),
      body: Type.Union([FlatMap, Type.Null()]),
      response: { 200: ContactDocument },
    },
    handler: (request) =>
      writer.create(request.account, request.body ?? {}, {
        ...context,
        view: viewOf(request),
        unicity: request.query.unicity,
        strict: wantsStrict(request.headers.prefer),
      }),
  })
}

function registerChange(app: App, context: Context, { ports, writer }: Writers): void {
  const { db } = context
  app.put('/targets', {
    config: many,
    onSend: answerAs(modelTypes),
    schema: {
      tags,
      summary: 'create or change a contact, or each of an array; or change a selection of contacts',
      description: `Of selections: ${asJob}`,
      querystring: Type.Object({ unicity }),
      body: Type.Union([FlatMap, Type.Array(FlatMap, { maxItems: MAX_ITEMS }), Type.Null()]),
      response: { 200: Type.Union([ContactDocument, Type.Array(BulkItem), SelectionCounts]), 202: Job },
    },
    handler: async (request, reply) => {
      const { body, account } = request
      const selectionChange = Array.isArray(body) ? undefined : readSelectionChange(body ?? {})
      if (selectionChange) {
        const { selection, fields } = selectionChange
        const handle = told(request, db, { said: { ...saidOf(selection), fields: Object.keys(fields) } })
        const selecting = { ...context, ports }
        if (!wantsAsync(request)) return changeSelected(handle, account, selectionChange, selecting)
        return sendJob(request, reply, await startChange(handle, account, selectionChange, selecting))
      }
      leaveUntold(request)
      if (Array.isArray(body)) return bulkUpsert(db, account, body, context)
      const { unicity } = request.query
      const strict = wantsStrict(request.headers.prefer)
      return writer.upsert(account, body ?? {}, { ...context, view: viewOf(request), unicity, strict })
    },
  })
}

function registerDeletion(app: App, context: Context, ports: Ports): void {
  app.delete('/targets', {
    config: many,
    onSend: answerAs(deletionTypes),
    schema: {
      tags,
      summary: 'delete a selection of contacts',
      description: `With Accept: ${deletionTypes[0]} what was deleted is listed. ${asJob}`,
      querystring: EraseQuery,
      body: Selection,
      response: { 200: Type.Array(DeletedContact), 202: Job, 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const listed = asked(request, deletionTypes) !== undefined
      const deletion = { selection: request.body, erase: request.query.erase ?? false, listed }
      const handle = told(request, context.db, { said: { ...saidOf(request.body), erase: deletion.erase } })
      const selecting = { ...context, ports }
      if (wantsAsync(request)) {
        return sendJob(request, reply, await startDeletion(handle, request.account, deletion, selecting))
      }
      const deleted = await deleteSelected(handle, request.account, deletion, selecting)
      return listed ? deleted : reply.code(204).send(null)
    },
  })
}

/** Contacts as a collection: listing, finding, and writing many or one of them. */
export function contactRoutes(app: App, context: Context, ports: Ports): void {
  registerList(app, context)
  registerFinding(app, context)
  const writer = contactWriter(context)
  registerCreation(app, context, writer)
  registerChange(app, context, { ports, writer })
  registerDeletion(app, context, ports)
}
