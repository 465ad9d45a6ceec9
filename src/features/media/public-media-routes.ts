import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { UNTOLD } from '../../http/resource/audit.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { openArchiveStore } from '../archives/archive-place.ts'
import { placeOf, sizesOf } from './media.ts'

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** The octets of media, for everybody who has their address. */
export function publicMediaRoutes(app: App, { db, config }: Context): void {
  const store = openArchiveStore(config)
  app.get('/m/:hash/:name', {
    config: { public: true, audit: UNTOLD.recipient },
    schema: {
      tags: ['recipients'],
      summary: 'the octets of a picture or document',
      params: Type.Object({ hash: Type.String(), name: Type.String() }),
    },
    handler: async (request, reply) => {
      const { hash, name } = request.params
      const row = await db.selectFrom('media').selectAll().where('hash', '=', hash).executeTakeFirst()
      if (!row) throw notFound('file', name)
      const copy = sizesOf(row).find((size) => size.name === name)
      if (!copy && name !== row.name) throw notFound('file', name)
      const etag = `"${hash}-${copy?.width ?? 'file'}"`
      reply.headers({ ...HEADERS, etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      if (row.type === 'application/pdf') reply.header('content-disposition', `attachment; filename="${row.name}"`)
      const place = placeOf(row.account, hash, copy ? String(copy.width) : 'file')
      const { octets } = copy ?? row
      const bytes = await store.read(place, { start: 0, length: octets })
      if (bytes?.length !== octets) throw notFound('file', name)
      return reply.type(row.type).send(bytes)
    },
  })
}
