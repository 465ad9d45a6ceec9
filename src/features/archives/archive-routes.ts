import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { actionFamilies, listFamilyActionTypes } from '../../channels/action-families.ts'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { recordStandaloneAudit } from '../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, sendList } from '../../http/resource/list.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { parseActionId, parseUuid } from '../../lib/ids.ts'
import { formatIsoInstant, parseTimePeriod } from '../../lib/time/period.ts'
import { resolveContactId } from '../contacts/records/find.ts'
import { openArchiveStore } from './archive-place.ts'
import { ArchivedMessage } from './archive-schemas.ts'
import {
  type ArchiveCursor,
  type ArchiveSelection,
  findArchive,
  listArchives,
  readArchivedMessage,
} from './archives.ts'

const ARCHIVE_MEDIA_TYPE = 'application/vnd.np6.cm.mail.archive'
const archiveTags = ['action archives']

const ArchiveListQuery = Type.Object({
  ...ListPageQuery.properties,
  startDate: Type.Optional(
    Type.String({ description: 'Start of the time of sending, inclusive. ISO 8601, or milliseconds since 1970.' }),
  ),
  endDate: Type.Optional(
    Type.String({ description: 'End of the time of sending, exclusive. ISO 8601, or milliseconds since 1970.' }),
  ),
})

interface ArchiveParams {
  id?: string
  target?: string
}

/** The lists of archives: their paths, and the parameters that name an action and a contact. */
const archiveLists: readonly {
  path: string
  summary: string
  operationId?: string
  action?: keyof ArchiveParams
  contact?: keyof ArchiveParams
}[] = [
  { path: '/actions/archives', summary: 'List the archives of the account', operationId: 'listArchives' },
  { path: '/actions/:id/archives', summary: 'List the archives of an action', action: 'id' },
  {
    path: '/actions/:id/targets/:target/archives',
    summary: 'List the archives of an action for a contact',
    action: 'id',
    contact: 'target',
  },
  { path: '/targets/:id/archives', summary: 'List the archives of a contact', contact: 'id' },
]

/** Messages that were kept as they left. */
export function archiveRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  for (const { path, action, contact, ...texts } of archiveLists) {
    const pathParams: TProperties = Object.fromEntries(
      [action, contact].flatMap((name) => (name ? [[name, Type.String()]] : [])),
    )
    app.get<{ Params: ArchiveParams; Querystring: { limit?: number; after?: string } & Record<string, unknown> }>(
      path,
      {
        config: { right: 'read', revealing: true },
        onSend: setArchiveMediaType,
        schema: {
          tags: archiveTags,
          ...texts,
          description:
            'Returns archives of emails whose action has `settings.archive`, by time of sending, each with a newly signed download URL. Proofs, copies and SMS are not archived. The media type is `application/vnd.np6.cm.mail.archive`, unless `Accept` names `application/json`.',
          params: Type.Object(pathParams),
          querystring: ArchiveListQuery,
          response: { 200: declareStreamedAnswer(Type.Array(ArchivedMessage)) },
        },
        handler: async (request, reply) => {
          const { account, query } = request
          const selection: ArchiveSelection = {
            account,
            ...(action && { action: await requireActionNumber(db, account, request.params[action] ?? '') }),
            ...(contact && { contact: await resolveContactId(db, account, request.params[contact] ?? '') }),
            period: parseTimePeriod(query, 'startDate', 'endDate'),
          }
          return sendList(request, reply, {
            rows: (page) => listArchives(context, selection, page),
            key: ({ sendingDate, id }): ArchiveCursor => [Date.parse(sendingDate), id],
            readKey: parseCursor,
          })
        },
      },
    )
  }
  app.get('/actions/stamp/:id/archives', {
    config: { right: 'read', revealing: true },
    onSend: setArchiveMediaType,
    schema: {
      tags: archiveTags,
      summary: 'Get the archive of a message',
      description:
        'Returns the archive of the message with this stamp ID. A message without an archive is 404. The media type is `application/vnd.np6.cm.mail.archive`, unless `Accept` names `application/json`.',
      operationId: 'listStampArchives',
      params: Type.Object({ id: Type.String() }),
      response: { 200: ArchivedMessage },
    },
    handler: async ({ account, params }) => {
      const stamp = parseUuid(params.id)
      if (stamp === undefined) throw badRequestProblem('id', 'must be a uuid')
      const matchingArchive = await findArchive(context, account, stamp)
      if (!matchingArchive) throw notFoundProblem('archive with the stamp', stamp)
      return matchingArchive
    },
  })
  registerContentRoute(app, context)
}

/** The octets of an archive, for every client that has its address. */
function registerContentRoute(app: HttpApp, context: ServiceContext): void {
  const archiveStore = openArchiveStore(context.config)
  app.get('/archives/:token', {
    config: { public: true, audit: { object: 'archive', id: null } },
    schema: {
      tags: archiveTags,
      summary: 'Download an archived email',
      description:
        'Returns an email exactly as it was sent, as an `.eml` file. No key is required, as the URL is signed. A token that is invalid or expired, or whose archive was deleted, is 404.',
      operationId: 'downloadArchive',
      refusals: { 410: 'archive-damaged', 503: 'archive-unavailable' },
      params: Type.Object({ token: Type.String() }),
      response: {
        200: {
          description: 'Email as it was sent.',
          content: { 'message/rfc822': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const { params, log, method } = request
      const matchingArchive = await readArchivedMessage(context, archiveStore, params.token).catch((error) => {
        log.error({ err: error }, 'cannot read archive')
        if (error instanceof Problem) throw error
        throw new Problem(
          503,
          'archive-unavailable',
          'The archive storage is not responding correctly. Try again later.',
          {
            headers: { 'retry-after': '30' },
            cause: error,
          },
        )
      })
      if (!matchingArchive) throw notFoundProblem('archive', 'at this address')
      const { account, id } = matchingArchive
      if (method === 'GET') await recordStandaloneAudit(request, context.db, { account, id })
      reply
        .type('message/rfc822')
        .header('content-disposition', `attachment; filename="${matchingArchive.id}.eml"`)
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
      return matchingArchive.bytes
    },
  })
}

/** Good answers have the media type of archives, unless JSON was asked for by name. */
async function setArchiveMediaType(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const asksForJson = (request.headers.accept ?? '').toLowerCase().includes('application/json')
  if (reply.statusCode === 200 && !asksForJson) reply.header('content-type', ARCHIVE_MEDIA_TYPE)
  return payload
}

function parseCursor(value: unknown): ArchiveCursor | undefined {
  if (!Array.isArray(value)) return undefined
  const [sentAt, id] = value
  return typeof sentAt === 'number' && formatIsoInstant(sentAt) && typeof id === 'string' && parseUuid(id) === id
    ? [sentAt, id]
    : undefined
}

/** Deleting an action keeps its archives, which the other lists show: under its own id nothing is found any more. */
async function requireActionNumber(db: Db, account: AccountId, text: string): Promise<number> {
  const id = parseActionId(text)
  const row =
    id !== undefined &&
    (await db
      .selectFrom('actions')
      .select('id')
      .where('account', '=', account)
      .where('id', '=', id)
      .where('type', 'in', listFamilyActionTypes(actionFamilies.action))
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!row) throw notFoundProblem('action', text)
  return row.id
}
