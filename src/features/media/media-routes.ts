import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/middleware/parsing.ts'
import { bytesSchema } from '../../http/openapi/media.ts'
import { type AuditSnapshotOptions, createAuditedDb } from '../../http/resource/audit-requests.ts'
import { registerLinksRoute } from '../../http/resource/links.ts'
import { declareStreamedAnswer, parseNumericListKey, sendList } from '../../http/resource/list.ts'
import { parseResourceId, ResourceIdParams } from '../../http/resource/resource.ts'
import { badRequestProblem, Problem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { openArchiveStore } from '../archives/archive-place.ts'
import {
  deleteMedia,
  insertMedia,
  listMedia,
  loadMedia,
  removeMediaOctets,
  storeMedia,
  toMediaResource,
} from './media.ts'
import { MediaDeleteQuery, MediaQuery, MediaResource, MediaUploadQuery } from './media-schemas.ts'
import { acceptedMediaTypes } from './media-types.ts'
import { createPictureSizer } from './sizer.ts'
import { findMediaLinks } from './usage.ts'

const mediaRefusals = { 403: 'forbidden' }
const tags = ['media']
const UPLOAD_TYPES = [...acceptedMediaTypes, 'application/octet-stream']
const mediaNaming = { name: 'media', readId: parseInt32Id }

/** Pictures and documents of messages. */
export function mediaApiRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock, config } = context
  const showMedia = (row: Parameters<typeof toMediaResource>[0]): MediaResource =>
    toMediaResource(row, config.publicUrl)
  app.get('/media', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'List the media files',
      description:
        'Returns the images and documents of the account that match the filters, by ascending ID or newest first.',
      refusals: mediaRefusals,
      querystring: MediaQuery,
      response: { 200: declareStreamedAnswer(Type.Array(MediaResource)) },
    },
    handler: (request, reply) =>
      sendList(request, reply, {
        rows: (page) => listMedia(db, request.account, { ...request.query, ...page }),
        key: ({ id }) => id,
        readKey: parseNumericListKey,
        show: showMedia,
      }),
  })
  app.get('/media/:id', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'Get a media file',
      description: 'Returns the properties of an image or document with its public URLs.',
      refusals: mediaRefusals,
      params: ResourceIdParams,
      response: { 200: MediaResource },
    },
    handler: async (request, reply) => {
      const { account, params } = request
      return reply.send(showMedia(await loadMedia(db, account, parseResourceId(mediaNaming, params.id))))
    },
  })
  registerLinksRoute(
    app,
    db,
    {
      path: '/media',
      tag: 'media',
      ...mediaNaming,
      operations: { links: { summary: 'List the uses of a media file', refusals: mediaRefusals } },
      read: loadMedia,
    },
    async (handle, account, id) =>
      findMediaLinks(handle, account, (await loadMedia(handle, account, id)).hash, new Date(clock.now())),
  )
  registerUploadRoute(app, context, showMedia)
  registerDeleteRoute(app, context, showMedia)
}

function registerUploadRoute(
  app: HttpApp,
  context: ServiceContext,
  show: (row: Parameters<typeof toMediaResource>[0]) => MediaResource,
): void {
  const uploadServices = { store: openArchiveStore(context.config), size: createPictureSizer() }
  app.register(async (scope: HttpApp) => {
    scope.addContentTypeParser(UPLOAD_TYPES, { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => body)
    scope.post('/media', {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { right: 'write', accepts: UPLOAD_TYPES, audit: { object: 'media' } },
      schema: {
        tags,
        summary: 'Upload a media file',
        operationId: 'uploadMedia',
        refusals: { ...mediaRefusals, 400: 'too-many-pixels unreadable-picture unreadable-document' },
        bodyTypes: {
          'image/png': bytesSchema,
          'image/jpeg': bytesSchema,
          'image/gif': bytesSchema,
          'image/webp': bytesSchema,
          'image/svg+xml': Type.String(),
          'application/pdf': bytesSchema,
          'application/octet-stream': bytesSchema,
        },
        description:
          'Stores the body as a file and returns it: PNG, JPEG, GIF, WebP, SVG or PDF, detected from the content, at most 10 MiB and 50 megapixels. Metadata of cameras is removed, an SVG is rewritten, and smaller copies of images are created. A file that the account already has is returned as it is.',
        querystring: MediaUploadQuery,
        response: { 200: MediaResource },
      },
      handler: async (request) => {
        const { account, query } = request
        const uploadedBytes: unknown = request.body
        if (!Buffer.isBuffer(uploadedBytes) || uploadedBytes.length === 0) throw badRequestProblem('', 'must be a file')
        const values = await storeMedia(context, uploadServices, account, {
          bytes: uploadedBytes,
          name: query.name ?? 'file',
        })
        const snapshot: AuditSnapshotOptions = { after: async (_, createdMedia) => createdMedia as object }
        return inTransaction(createAuditedDb(request, context.db, snapshot), async (tx) =>
          show(await insertMedia(tx, values)),
        )
      },
    })
  })
}

function registerDeleteRoute(
  app: HttpApp,
  { db, clock, config }: ServiceContext,
  show: (row: Parameters<typeof toMediaResource>[0]) => MediaResource,
) {
  const store = openArchiveStore(config)
  app.delete('/media/:id', {
    config: { right: 'write', audit: { object: 'media' } },
    schema: {
      tags,
      summary: 'Delete a media file',
      refusals: { ...mediaRefusals, 409: 'media-in-use' },
      description:
        'Deletes the file and its copies. Refused with 409 and `links` while it is in use, unless `force` is true.',
      params: ResourceIdParams,
      querystring: MediaDeleteQuery,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, params, query, rights } = request
      const id = parseResourceId(mediaNaming, params.id)
      const isForced = query.force === true
      if (isForced && !rights?.includes('admin'))
        throw new Problem(403, 'forbidden', 'force requires the right "admin".')
      const snapshot: AuditSnapshotOptions = { before: async (tx) => show(await loadMedia(tx, account, id)) }
      const deletion = { account, id, now: new Date(clock.now()), isForced }
      const row = await inTransaction(createAuditedDb(request, db, snapshot), (tx) => deleteMedia(tx, deletion))
      await removeMediaOctets(store, row)
      return reply.code(204).send(null)
    },
  })
}
