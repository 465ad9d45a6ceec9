import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../http/resource/audit-requests.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { openArchiveStore } from '../archives/archive-place.ts'
import { mediaCopySizes, mediaStorageName } from './media.ts'

const RESPONSE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** The octets of media, for everybody who has their address. */
export function publicMediaRoutes(app: HttpApp, { db, config }: ServiceContext): void {
  const store = openArchiveStore(config)
  app.get('/m/:hash/:name', {
    config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
    schema: {
      tags: ['recipients'],
      summary: 'Download a media file',
      description:
        'Returns an image or document, or a smaller copy of it. No key is required. The answer may be cached for a year, as the content at a URL never changes.',
      operationId: 'downloadMedia',
      refusals: { 503: 'file-elsewhere storage-away' },
      answerTypes: {
        200: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml', 'application/pdf'],
        304: [],
      },
      params: Type.Object({ hash: Type.String(), name: Type.String() }),
    },
    handler: async (request, reply) => {
      const { hash, name } = request.params
      const row = await db.selectFrom('media').selectAll().where('hash', '=', hash).executeTakeFirst()
      if (!row) throw notFoundProblem('file', name)
      const sizedCopy = mediaCopySizes(row).find((size) => size.name === name)
      if (!sizedCopy && name !== row.name) throw notFoundProblem('file', name)
      const etag = `"${hash}-${sizedCopy?.width ?? 'file'}"`
      reply.headers({ ...RESPONSE_HEADERS, etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (row.type === 'application/pdf') reply.header('content-disposition', `attachment; filename="${row.name}"`)
      const storageName = mediaStorageName(row.account, hash, sizedCopy ? String(sizedCopy.width) : 'file')
      const { octets } = sizedCopy ?? row
      const fileBytes = await store.read(storageName, { start: 0, length: octets })
      if (fileBytes?.length !== octets) throw notFoundProblem('file', name)
      return reply.type(row.type).send(fileBytes)
    },
  })
}
