import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { readNumberKey, sendList, sent } from '../../http/resource/list.ts'
import { readPeriod } from '../../lib/time/period.ts'
import { AuditQuery, AuditRow } from './audit-schemas.ts'
import { type AuditFilter, listAudit, readNamed } from './reading.ts'

/** Who wrote what, and what was refused: of an account, and to an operator who names none of the installation. */
export function auditRoutes(app: App, { db }: Context): void {
  app.get('/audit', {
    config: { right: 'admin', account: 'installation' },
    schema: {
      tags: ['audit'],
      summary: 'list who changed what, newest first',
      description: 'One row a line with Accept: application/x-ndjson.',
      querystring: AuditQuery,
      response: { 200: sent(Type.Array(AuditRow)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter: AuditFilter = {
        account: account === 0 ? undefined : account,
        ...readPeriod(query),
        who: readNamed(query.who),
        operation: query.operation,
        object: readNamed(query.object),
      }
      return sendList(request, reply, {
        rows: (page) => listAudit(db, filter, page),
        key: ({ id }) => id,
        readKey: readNumberKey,
        lines: true,
      })
    },
  })
}
