import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { listFamilyActionTypes } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb, recordStandaloneAudit } from '../../../http/resource/audit-requests.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { createEagerStream } from '../../../lib/files/eager-stream.ts'
import { type ActionExportKind, actionExportKinds, exportActionCsv } from '../../events/history/action-exports.ts'
import { ActionParams, parseActionRef } from '../resource/ids.ts'
import { openActionExport, requestActionExport } from './export-files.ts'

const ROUTE_TAGS = ['action exports']
const CSV_TYPE = 'text/csv; charset=utf-8'

const exportOperations: Record<ActionExportKind, { path: string; mailId: string; streamId: string }> = {
  recipients: {
    path: '/actions/:id/export/recipients',
    mailId: 'mailActionRecipients',
    streamId: 'exportActionRecipients',
  },
  opens: { path: '/actions/:id/export/tracking/opens', mailId: 'mailActionOpens', streamId: 'exportActionOpens' },
  clicks: { path: '/actions/:id/export/tracking/clicks', mailId: 'mailActionClicks', streamId: 'exportActionClicks' },
}

const FILE_RESPONSE = {
  200: { description: 'CSV file.', content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } } },
}

/** Routes that export as files the recipients of an action, and the contacts that opened its messages or clicked in them. */
export function actionExportRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  for (const kind of actionExportKinds) {
    const { path, mailId, streamId } = exportOperations[kind]
    app.get(path, {
      // It starts something, though it is a GET.
      config: { right: 'read', starts: true, revealing: true, audit: { object: 'action' } },
      schema: {
        tags: ROUTE_TAGS,
        summary: `Email a file of the ${kind} of an action`,
        description:
          'Deprecated: use the same path with `.csv`. Answers at once; a job writes a CSV file and emails its download link, valid for 7 days, to the report addresses of the account. Without report addresses, or while such a job of the action is queued, nothing is started.',
        operationId: mailId,
        deprecated: true,
        params: ActionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request, reply) => {
        const { account, params, method } = request
        const action = await requireActionId(db, account, params.id)
        if (method === 'GET') {
          const auditedDb = createAuditedDb(request, db, { said: { export: kind } })
          await inTransaction(auditedDb, (tx) => requestActionExport(tx, { account, action, kind }, clock.now()))
        }
        return reply.code(204).send(null)
      },
    })
    app.get(`${path}.csv`, {
      config: { right: 'read', revealing: true, audit: { object: 'action' } },
      schema: {
        tags: ROUTE_TAGS,
        summary: `Download the ${kind} of an action`,
        description:
          'Streams a CSV file with a header line. Proofs and robots are left out, and a cell that a spreadsheet would read as a formula is prefixed with an apostrophe.',
        operationId: streamId,
        params: ActionParams,
        response: FILE_RESPONSE,
      },
      handler: async (request, reply) => {
        const { account, params, method } = request
        const action = await requireActionId(db, account, params.id)
        const text = await createEagerStream(exportActionCsv(db, { account, action, kind }))
        if (method === 'GET') await recordStandaloneAudit(request, db, { said: { export: kind } })
        reply.type(CSV_TYPE)
        return text
      },
    })
  }
  registerFileRoute(app, context)
}

function registerFileRoute(app: HttpApp, context: ServiceContext): void {
  app.get('/exports/:token', {
    config: { public: true, audit: { object: 'export', id: null } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Download an export file',
      description:
        'Returns the CSV file of a link sent by email. No key is required; the link is valid for 7 days, after which it is 404.',
      operationId: 'downloadExport',
      refusals: { 503: 'file-elsewhere storage-away' },
      params: Type.Object({ token: Type.String() }),
      response: FILE_RESPONSE,
    },
    handler: async (request, reply) => {
      const exportFile = await openActionExport(context, request.params.token)
      if (!exportFile) throw notFoundProblem('export', 'at this address')
      const { account, id, name } = exportFile
      if (request.method === 'GET') await recordStandaloneAudit(request, context.db, { account, id, said: { name } })
      reply
        .type(CSV_TYPE)
        .header('content-length', exportFile.size)
        .header('content-disposition', `attachment; filename="${exportFile.name}"`)
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
      return exportFile.content()
    },
  })
}

async function requireActionId(db: Db, account: AccountId, text: string): Promise<number> {
  const { family, id } = parseActionRef(account, text)
  const row = await db
    .selectFrom('actions')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', id)
    .where('type', 'in', listFamilyActionTypes(family))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFoundProblem('action', text)
  return row.id
}
