import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT } from '../../http/middleware/parsing.ts'
import { type Look, told } from '../../http/resource/audit.ts'
import { registerLinks } from '../../http/resource/links.ts'
import { readNumberKey, sendList, sent } from '../../http/resource/list.ts'
import { Params, readIdOf } from '../../http/resource/resource.ts'
import { badRequest, Problem } from '../../lib/errors/problem.ts'
import { readIntId } from '../../lib/ids.ts'
import { openArchiveStore } from '../archives/archive-place.ts'
import { deleteMedia, insertMedia, listMedia, readMedia, removeOctets, showMedia, storeMedia } from './media.ts'
import { DeleteQuery, Media, MediaQuery, UploadQuery } from './media-schemas.ts'
import { mediaTypes } from './media-types.ts'
import { createSizer } from './sizer.ts'
import { mediaLinks } from './usage.ts'

const tags = ['media']
const TYPES = [...mediaTypes, 'application/octet-stream']
const named = { name: 'media', readId: readIntId }

/** Pictures and documents of messages. */
export function mediaRoutes(app: App, context: Context): void {
  const { db, clock, config } = context
  const show = (row: Parameters<typeof showMedia>[0]): Media => showMedia(row, config.publicUrl)
  app.get('/media', {
    config: { right: 'read' },
    schema: { tags, summary: 'list media', querystring: MediaQuery, response: { 200: sent(Type.Array(Media)) } },
    handler: (request, reply) =>
      sendList(request, reply, {
        rows: (page) => listMedia(db, request.account, { ...request.query, ...page }),
        key: ({ id }) => id,
        readKey: readNumberKey,
        show,
      }),
  })
  app.get('/media/:id', {
    config: { right: 'read' },
    schema: { tags, summary: 'read a picture or document', params: Params, response: { 200: Media } },
    handler: async (request, reply) => {
      const { account, params } = request
      return reply.send(show(await readMedia(db, account, readIdOf(named, params.id))))
    },
  })
  registerLinks(app, db, { path: '/media', tag: 'media', ...named, read: readMedia }, async (own, account, id) =>
    mediaLinks(own, account, (await readMedia(own, account, id)).hash, new Date(clock.now())),
  )
  uploadRoute(app, context, show)
  deleteRoute(app, context, show)
}

function uploadRoute(app: App, context: Context, show: (row: Parameters<typeof showMedia>[0]) => Media): void {
  const places = { store: openArchiveStore(context.config), size: createSizer() }
  app.register(async (scope: App) => {
    scope.addContentTypeParser(TYPES, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body)
    scope.post('/media', {
      bodyLimit: BODY_LIMIT,
      config: { right: 'write', accepts: TYPES, audit: { object: 'media' } },
      schema: {
        tags,
        summary: 'add a picture or document',
        description:
          'The body is the file: PNG, JPEG, GIF, WebP, SVG or PDF, at most 10 MiB and 50 megapixels, told by its content. What a camera wrote into a picture is taken out, and an SVG is drawn anew. A file that is here already is answered as it is.',
        querystring: UploadQuery,
        response: { 200: Media },
      },
      handler: async (request) => {
        const { account, query } = request
        const bytes: unknown = request.body
        if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw badRequest('', 'must be a file')
        const values = await storeMedia(context, places, account, { bytes, name: query.name ?? 'file' })
        const look: Look = { after: async (_, made) => made as object }
        return inTransaction(told(request, context.db, look), async (tx) => show(await insertMedia(tx, values)))
      },
    })
  })
}

function deleteRoute(app: App, { db, clock, config }: Context, show: (row: Parameters<typeof showMedia>[0]) => Media) {
  const store = openArchiveStore(config)
  app.delete('/media/:id', {
    config: { right: 'write', audit: { object: 'media' } },
    schema: {
      tags,
      summary: 'delete a picture or document',
      description: '409 with `links` while something uses it.',
      params: Params,
      querystring: DeleteQuery,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, params, query, rights } = request
      const id = readIdOf(named, params.id)
      const isForced = query.force === true
      if (isForced && !rights?.includes('admin')) throw new Problem(403, 'forbidden', 'force needs the right admin.')
      const look: Look = { before: async (tx) => show(await readMedia(tx, account, id)) }
      const deletion = { account, id, now: new Date(clock.now()), isForced }
      const row = await inTransaction(told(request, db, look), (tx) => deleteMedia(tx, deletion))
      await removeOctets(store, row)
      return reply.code(204).send(null)
    },
  })
}
