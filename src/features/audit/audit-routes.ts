import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { declareStreamedAnswer, parseNumericListKey, sendList } from '../../http/resource/list.ts'
import { parseTimePeriod } from '../../lib/time/period.ts'
import { AuditQuery, AuditRow } from './audit-schemas.ts'
import { type AuditFilter, listAuditRows, parseAuditReference } from './reading.ts'

/** Audit routes: changes and refused requests of an account. An operator who names no account reads those of the installation. */
export function auditRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/audit', {
    config: { right: 'admin', account: 'installation' },
    schema: {
      tags: ['audit'],
      summary: 'List the audit entries',
      operationId: 'listAuditEntries',
      answerTypes: { 200: ['application/x-ndjson'] },
      description:
        'Returns changes and refused requests, newest first, with their actors. An operator who names no account receives ' +
        'the entries of the whole installation. With `Accept: application/x-ndjson`, streams one entry a line.',
      querystring: AuditQuery,
      response: { 200: declareStreamedAnswer(Type.Array(AuditRow)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const auditFilter: AuditFilter = {
        account: account === 0 ? undefined : account,
        ...parseTimePeriod(query),
        who: parseAuditReference(query.who),
        operation: query.operation,
        object: parseAuditReference(query.object),
      }
      return sendList(request, reply, {
        rows: (page) => listAuditRows(db, auditFilter, page),
        key: ({ id }) => id,
        readKey: parseNumericListKey,
        lines: true,
      })
    },
  })
}
