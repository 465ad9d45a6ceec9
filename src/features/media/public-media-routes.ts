import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../http/resource/audit.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { openArchiveStore } from '../archives/archive-place.ts'
import { mediaCopySizes, mediaStorageName } from './media.ts'

const HEADERS = {
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
      summary: 'the octets of a picture or document',
      params: Type.Object({ hash: Type.String(), name: Type.String() }),
    },
    handler: async (request, reply) => {
      const { hash, name } = request.params
      const row = await db.selectFrom('media').selectAll().where('hash', '=', hash).executeTakeFirst()
      if (!row) throw notFoundProblem('file', name)
      const copy = mediaCopySizes(row).find((size) => size.name === name)
      if (!copy && name !== row.name) throw notFoundProblem('file', name)
      const etag = `"${hash}-${copy?.width ?? 'file'}"`
      reply.headers({ ...HEADERS, etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (row.type === 'application/pdf') reply.header('content-disposition', `attachment; filename="${row.name}"`)
      const place = mediaStorageName(row.account, hash, copy ? String(copy.width) : 'file')
      const { octets } = copy ?? row
      const bytes = await store.read(place, { start: 0, length: octets })
      if (bytes?.length !== octets) throw notFoundProblem('file', name)
      return reply.type(row.type).send(bytes)
    },
  })
}
