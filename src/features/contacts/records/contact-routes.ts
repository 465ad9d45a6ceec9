import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS, createAuditedDb, skipRequestAudit } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../../http/resource/list.ts'
import { isAsyncPreferred, sendAcceptedJob } from '../../../http/resource/prefer.ts'
import { isStrictPreferred } from '../../../http/validation/validation.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { parseContactId } from '../../../lib/ids.ts'
import { JobResource } from '../../jobs/job-schemas.ts'
import { bulkUpsertContacts } from '../bulk/bulk-upsert.ts'
import { type ContactWriter, createContactWriter } from '../bulk/grouped-writes.ts'
import { parseSelectionChange } from '../bulk/selection-change.ts'
import { queueSelectionChange, queueSelectionDeletion } from '../bulk/selection-jobs.ts'
import { deleteSelectedContacts, updateSelectedContacts } from '../bulk/selections.ts'
import { ContactEraseQuery, ContactFieldsQuery, parseContactView } from './contact-request.ts'
import {
  BulkUpsertResult,
  ContactDocument,
  ContactSelection,
  contactWriteRefusals,
  DeletedContact,
  FlatMap,
  ResolvedContact,
  SelectionCounts,
} from './contact-schemas.ts'
import { countContacts, findContact, listContacts } from './contacts.ts'
import { ContactIdentification } from './identification-schemas.ts'
import {
  contactModelMediaTypes,
  createMediaTypeHook,
  deletionMediaTypes,
  findAcceptedMediaType,
} from './media-types.ts'
import type { ContactPorts } from './ports.ts'
import { resolveIdentification, resolveIdentifications } from './resolve.ts'

const tags = ['targets']
const readConfig = { right: 'read' } as const
const writeConfig = { right: 'write', accepts: contactModelMediaTypes } as const
/** A bulk write is recorded in the audit trail. Writes of single contacts are events. */
const bulkWriteConfig = { ...writeConfig, audit: { object: 'selection' } } as const
const MAX_ITEMS = 1000

const RESPOND_ASYNC_NOTE =
  'With `Prefer: respond-async`, the answer is 202 with a job that holds the result when it is done.'

const unicity = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String())], {
    description:
      'Concatenated unicity of the contact. Repeated: one value per unicity field, in ascending order of ' +
      'field ID.',
  }),
)

/** The audit entry of a selection, without the contacts that it names. */
function buildSelectionAudit({ type, value }: ContactSelection): object {
  if (type === 'segment') return { selection: { type, value } }
  if (type === 'search') return { selection: { type, criteria: value.criteria, query: Boolean(value.query) } }
  return { selection: { type, count: value.length } }
}

/** The functions that write contacts: one by one, and by selections. */
interface ContactWriters {
  writer: ContactWriter
  ports: ContactPorts
}

/** The list, which is also where a contact is looked up. */
function registerContactList(app: HttpApp, { db }: ServiceContext): void {
  app.get('/targets', {
    config: readConfig,
    onSend: createMediaTypeHook(contactModelMediaTypes),
    schema: {
      tags,
      summary: 'List contacts, or find one by unicity or hash',
      description:
        'Returns all contacts in ascending order of ID. With `unicity` or `hash`, returns that single ' +
        'contact; an unknown one is answered with 404 and an empty body. Giving both is refused with 400.',
      querystring: Type.Object({
        ...ListPageQuery.properties,
        ...ContactFieldsQuery.properties,
        unicity,
        hash: Type.Optional(
          Type.String({ description: 'MD5 of the concatenated unicity of the contact: 32 hexadecimal digits.' }),
        ),
      }),
      response: {
        200: Type.Union([declareStreamedAnswer(Type.Array(ContactDocument)), ContactDocument]),
        404: Type.String({ maxLength: 0 }),
      },
    },
    handler: async (request, reply) => {
      const { unicity, hash, fields } = request.query
      const view = parseContactView(request, fields)
      if (unicity !== undefined && hash !== undefined)
        throw badRequestProblem('hash', 'cannot be combined with unicity')
      if (unicity === undefined && hash === undefined) {
        return sendList(request, reply, {
          rows: (page) => listContacts(db, request.account, page, view),
          key: (contact) => parseContactId(contact.id) ?? 0,
          readKey: parseNumericListKey,
        })
      }
      const contactLookup = unicity !== undefined ? { unicity } : { hash: hash ?? '' }
      const contact = await findContact(db, request.account, contactLookup, view)
      return contact ?? reply.code(404).type('text/plain').send('')
    },
  })
}

function registerContactLookup(app: HttpApp, { db }: ServiceContext): void {
  app.get('/targets/count', {
    config: readConfig,
    schema: {
      tags,
      summary: 'Count the contacts',
      description: 'Returns the number of contacts in the account, exact as of the last committed change.',
      operationId: 'countTargets',
      response: {
        200: Type.Object({ targetsCount: Type.Integer({ description: 'Number of contacts in the account.' }) }),
      },
    },
    handler: async ({ account }) => ({ targetsCount: await countContacts(db, account) }),
  })
  app.post('/targets/resolve', {
    config: { ...readConfig, accepts: contactModelMediaTypes },
    schema: {
      tags,
      summary: 'Find contacts by identification',
      description:
        'Looks up at most 1,000 contacts by ID, unicity or hash, or by maps of field values that hold ' +
        'every unicity field. Results have the order of the request; an item without a match becomes an ' +
        'error item. Nothing is created.',
      operationId: 'resolveTargets',
      body: Type.Union([
        Type.Array(Type.Unknown(), { maxItems: MAX_ITEMS }),
        Type.Record(Type.String(), Type.Unknown()),
      ]),
      bodyTypes: { 'application/json': ResolveTargetsBody },
      response: { 200: Type.Union([Type.Array(ResolvedContact), ResolvedContact]) },
    },
    handler: async ({ body, account }) =>
      Array.isArray(body) ? resolveIdentifications(db, account, body) : resolveIdentification(db, account, body),
  })
}

/** The handler reads each item itself: one that it cannot read is answered as an error. */
const ContactQuery = Type.Union([ContactIdentification, FlatMap])
const ResolveTargetsBody = Type.Union([Type.Array(ContactQuery, { maxItems: MAX_ITEMS }), ContactQuery], {
  description: 'Up to 1,000 items, or a single item, which is answered with a single object.',
})

function registerContactCreation(app: HttpApp, context: ServiceContext, writer: ContactWriter): void {
  app.post('/targets', {
    config: { ...writeConfig, audit: AUDIT_EXEMPTIONS.contact },
    onSend: createMediaTypeHook(contactModelMediaTypes),
    schema: {
      tags,
      summary: 'Create a contact',
      description:
        'Creates a contact from field values and returns it. Every unicity field needs a value: otherwise ' +
        'the answer is 400. If a contact with this unicity exists, the answer is 409 and nothing changes. ' +
        '`unicity` in the query fills the unicity field if the body leaves it out and the account has only ' +
        'one.',
      refusals: contactWriteRefusals,
      querystring: Type.Object({ unicity }),
      body: Type.Union([FlatMap, Type.Null()]),
      response: { 200: ContactDocument },
    },
    handler: (request) =>
      writer.create(request.account, request.body ?? {}, {
        ...context,
        view: parseContactView(request),
        unicity: request.query.unicity,
        strict: isStrictPreferred(request.headers.prefer),
      }),
  })
}

function registerContactChange(app: HttpApp, context: ServiceContext, { ports, writer }: ContactWriters): void {
  const { db } = context
  app.put('/targets', {
    config: bulkWriteConfig,
    onSend: createMediaTypeHook(contactModelMediaTypes),
    schema: {
      tags,
      summary: 'Create or update contacts',
      refusals: contactWriteRefusals,
      description: `With one map of field values, updates the contact found by \`unicity\` or by the body, or creates it, and returns it. With an array of at most 1,000 maps, does this for each and returns one result per map, in order. With a selection and \`fields\`, makes the same change to every selected contact and returns counts; unicity fields cannot be changed this way. For selections: ${RESPOND_ASYNC_NOTE}`,
      querystring: Type.Object({ unicity }),
      body: Type.Union([FlatMap, Type.Array(FlatMap, { maxItems: MAX_ITEMS }), Type.Null()]),
      response: { 200: Type.Union([ContactDocument, Type.Array(BulkUpsertResult), SelectionCounts]), 202: JobResource },
    },
    handler: async (request, reply) => {
      const { body, account } = request
      const selectionChange = Array.isArray(body) ? undefined : parseSelectionChange(body ?? {})
      if (selectionChange) {
        const { selection, fields } = selectionChange
        const auditedDb = createAuditedDb(request, db, {
          said: { ...buildSelectionAudit(selection), fields: Object.keys(fields) },
        })
        const selecting = { ...context, ports }
        if (!isAsyncPreferred(request)) return updateSelectedContacts(auditedDb, account, selectionChange, selecting)
        return sendAcceptedJob(
          request,
          reply,
          await queueSelectionChange(auditedDb, account, selectionChange, selecting),
        )
      }
      skipRequestAudit(request)
      if (Array.isArray(body)) return bulkUpsertContacts(db, account, body, context)
      const { unicity } = request.query
      const isStrict = isStrictPreferred(request.headers.prefer)
      return writer.upsert(account, body ?? {}, {
        ...context,
        view: parseContactView(request),
        unicity,
        strict: isStrict,
      })
    },
  })
}

function registerContactDeletion(app: HttpApp, context: ServiceContext, ports: ContactPorts): void {
  app.delete('/targets', {
    config: bulkWriteConfig,
    onSend: createMediaTypeHook(deletionMediaTypes),
    schema: {
      tags,
      summary: 'Delete a selection of contacts',
      description: `Deletes the selected contacts in batches; if no contact matches, the answer is 404. With \`Accept: ${deletionMediaTypes[0]}\`, the answer is a list of the deleted contacts. ${RESPOND_ASYNC_NOTE}`,
      querystring: ContactEraseQuery,
      body: ContactSelection,
      response: { 200: Type.Array(DeletedContact), 202: JobResource, 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const isListRequested = findAcceptedMediaType(request, deletionMediaTypes) !== undefined
      const deletion = { selection: request.body, erase: request.query.erase ?? false, listed: isListRequested }
      const auditedDb = createAuditedDb(request, context.db, {
        said: { ...buildSelectionAudit(request.body), erase: deletion.erase },
      })
      const selecting = { ...context, ports }
      if (isAsyncPreferred(request)) {
        return sendAcceptedJob(
          request,
          reply,
          await queueSelectionDeletion(auditedDb, request.account, deletion, selecting),
        )
      }
      const deletedContacts = await deleteSelectedContacts(auditedDb, request.account, deletion, selecting)
      return isListRequested ? deletedContacts : reply.code(204).send(null)
    },
  })
}

/** Contacts as a collection: listing, finding, and writing many or one of them. */
export function contactCollectionRoutes(app: HttpApp, context: ServiceContext, ports: ContactPorts): void {
  registerContactList(app, context)
  registerContactLookup(app, context)
  const contactWriter = createContactWriter(context)
  registerContactCreation(app, context, contactWriter)
  registerContactChange(app, context, { ports, writer: contactWriter })
  registerContactDeletion(app, context, ports)
}
