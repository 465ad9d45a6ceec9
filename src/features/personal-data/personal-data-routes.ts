import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { recordStandaloneAudit } from '../../http/resource/audit-requests.ts'
import { declareStreamedAnswer } from '../../http/resource/list.ts'
import { createEagerStream } from '../../lib/files/eager-stream.ts'
import { ContactParams, parseContactPath } from '../contacts/records/contact-request.ts'
import { exportContact } from './export.ts'
import { ContactExport } from './export-schemas.ts'

function sendJsonStream(reply: FastifyReply, stream: Readable): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(stream)
}

/** Access to personal data (GDPR, article 15). */
export function personalDataRoutes(app: HttpApp, context: ServiceContext): void {
  app.get('/targets/:id/export', {
    config: { right: 'read', revealing: true, audit: { object: 'contact' } },
    schema: {
      tags: ['targets'],
      summary: 'Export the data of a contact',
      operationId: 'exportTarget',
      description:
        'Returns all data about the contact as one JSON document: the contact itself, segments, devices, ' +
        'suppressions, events, messages and workflow runs. The document is streamed; if the export fails, ' +
        'the connection closes before the end of the document.',
      params: ContactParams,
      response: { 200: declareStreamedAnswer(ContactExport) },
    },
    handler: async (request, reply): Promise<FastifyReply> => {
      const { account, params, method } = request
      const contact = parseContactPath(params)
      // The first piece is there before the headers go, so that an unknown contact is a problem document.
      const exportStream = await createEagerStream(exportContact(context, account, contact))
      if (method === 'GET') await recordStandaloneAudit(request, context.db, { said: { export: 'everything' } })
      return sendJsonStream(reply, exportStream)
    },
  })
}
