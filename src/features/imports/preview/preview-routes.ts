import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT } from '../../../http/middleware/parsing.ts'
import { arriving } from '../../../http/streamed-body.ts'
import { readJson } from '../../../http/validation/json.ts'
import { badRequest, notFound } from '../../../lib/errors/problem.ts'
import { readIntId } from '../../../lib/ids.ts'
import { type Form, readForm } from '../definitions/forms.ts'
import { encodeText } from '../files/encoding.ts'
import type { SourceFile } from '../upload/source-files.ts'
import { Preview, PreviewQuery } from './preview-schemas.ts'
import { previewSent, previewSource } from './source-previews.ts'

const tags = ['imports']

/** The file of a request: its body, a part of a form, or the text in a JSON object. Throws 400 for one without. */
function sentFile(form: Form): SourceFile {
  if (!('definition' in form)) return form
  const { data, filename } = form.definition
  if (typeof data !== 'string') throw badRequest('/data', 'is required: the text of the file')
  const chunks = (async function* () {
    yield encodeText(data)
  })()
  return { file: { name: typeof filename === 'string' ? filename : undefined, chunks } }
}

async function sourceOf(request: FastifyRequest): Promise<SourceFile & { announced: number }> {
  const form = await readForm(request.headers, arriving(request), { read: readJson, maxBytes: BODY_LIMIT })
  return { ...sentFile(form), announced: Number(request.headers['content-length'] ?? 0) }
}

function sentPreviewRoute(app: App, context: Context): void {
  // The body is read as it arrives.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.post('/imports/preview', {
    config: { right: 'write', streams: true, audit: { untold: 'nothing of the file is kept' } },
    schema: {
      tags,
      summary: 'what a file looks like, without an import; nothing of it is kept',
      querystring: PreviewQuery,
      response: { 200: Preview },
    },
    handler: async (request) => previewSent(context, request.account, await sourceOf(request), request.query),
  })
}

/** What files look like before they are imported. */
export function importPreviewRoutes(app: App, context: Context): void {
  app.get('/imports/:id/source/preview', {
    config: { right: 'read', revealing: true },
    schema: {
      tags,
      summary: 'what the last file of an import looks like, and the definition that would import it',
      params: Type.Object({ id: Type.String() }),
      querystring: PreviewQuery,
      response: { 200: Preview },
    },
    handler: ({ account, params, query }) => {
      const id = readIntId(params.id)
      if (id === undefined) throw notFound('import', params.id)
      return previewSource(context, { account, id }, query)
    },
  })
  app.register(async (scope) => sentPreviewRoute(scope, context))
}
