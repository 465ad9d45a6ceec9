import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { typesOf } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { App } from '../../../http/app-type.ts'
import { tell, told } from '../../../http/resource/audit.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import { eagerStream } from '../../../lib/files/eager-stream.ts'
import { type ExportKind, exportKinds, exportText } from '../../events/history/action-exports.ts'
import { ActionParams, refOf } from '../resource/ids.ts'
import { openExport, requestExport } from './export-files.ts'

const tags = ['action exports']
const CSV = 'text/csv; charset=utf-8'

const paths: Record<ExportKind, string> = {
  recipients: '/actions/:id/export/recipients',
  opens: '/actions/:id/export/tracking/opens',
  clicks: '/actions/:id/export/tracking/clicks',
}

const file = {
  200: { description: 'CSV', content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } } },
}

/** Who got the messages of an action, who opened them and who clicked, as files. */
export function exportRoutes(app: App, context: Context): void {
  const { db, clock } = context
  for (const kind of exportKinds) {
    app.get(paths[kind], {
      // It starts something, though it is a GET.
      config: { right: 'read', starts: true, revealing: true, audit: { object: 'action' } },
      schema: {
        tags,
        summary: `have a file of the ${kind} made, and its address mailed`,
        deprecated: true,
        params: ActionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request, reply) => {
        const { account, params, method } = request
        const action = await actionOf(db, account, params.id)
        if (method === 'GET') {
          const handle = told(request, db, { said: { export: kind } })
          await inTransaction(handle, (tx) => requestExport(tx, { account, action, kind }, clock.now()))
        }
        return reply.code(204).send(null)
      },
    })
    app.get(`${paths[kind]}.csv`, {
      config: { right: 'read', revealing: true, audit: { object: 'action' } },
      schema: { tags, summary: `the ${kind} of an action, streamed`, params: ActionParams, response: file },
      handler: async (request, reply) => {
        const { account, params, method } = request
        const action = await actionOf(db, account, params.id)
        const text = await eagerStream(exportText(db, { account, action, kind }))
        if (method === 'GET') await tell(request, db, { said: { export: kind } })
        reply.type(CSV)
        return text
      },
    })
  }
  fileRoute(app, context)
}

function fileRoute(app: App, context: Context): void {
  app.get('/exports/:token', {
    config: { public: true, audit: { object: 'export', id: null } },
    schema: { tags, summary: 'a file that was made', params: Type.Object({ token: Type.String() }), response: file },
    handler: async (request, reply) => {
      const found = await openExport(context, request.params.token)
      if (!found) throw notFound('export', 'of this address')
      const { account, id, name } = found
      if (request.method === 'GET') await tell(request, context.db, { account, id, said: { name } })
      reply
        .type(CSV)
        .header('content-length', found.size)
        .header('content-disposition', `attachment; filename="${found.name}"`)
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
      return found.content()
    },
  })
}

async function actionOf(db: Db, account: AccountId, text: string): Promise<number> {
  const { family, id } = refOf(account, text)
  const row = await db
    .selectFrom('actions')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', id)
    .where('type', 'in', typesOf(family))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('action', text)
  return row.id
}
