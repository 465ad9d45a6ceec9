import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { streamRequestBody } from '../../../http/streamed-body.ts'
import { parseRequestJson } from '../../../http/validation/json.ts'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { type ImportRequestContent, parseImportRequest } from '../definitions/forms.ts'
import { encodeReceivedText } from '../files/encoding.ts'
import type { ImportSourceFile } from '../upload/source-files.ts'
import { ImportPreviewQuery, ImportPreviewResult, importUploadRefusals, importUploadTypes } from './preview-schemas.ts'
import { previewImportSource, previewRequestFile } from './source-previews.ts'

const tags = ['imports']

/** The file of a request: its body, a part of a form, or the text in a JSON object. Throws 400 for one without. */
function extractSentFile(form: ImportRequestContent): ImportSourceFile {
  if (!('definition' in form)) return form
  const { data: fileText, filename } = form.definition
  if (typeof fileText !== 'string') throw badRequestProblem('/data', 'is required: the text of the file')
  const chunks = (async function* () {
    yield encodeReceivedText(fileText)
  })()
  return { file: { name: typeof filename === 'string' ? filename : undefined, chunks } }
}

async function parsePreviewSource(request: FastifyRequest): Promise<ImportSourceFile & { announced: number }> {
  const form = await parseImportRequest(request.headers, streamRequestBody(request), {
    read: parseRequestJson,
    maxBytes: BODY_LIMIT_BYTES,
  })
  return { ...extractSentFile(form), announced: Number(request.headers['content-length'] ?? 0) }
}

function registerSentPreview(app: HttpApp, context: ServiceContext): void {
  // The body is read as it arrives.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.post('/imports/preview', {
    config: { right: 'write', streams: true, audit: { untold: 'nothing of the file is kept' } },
    schema: {
      tags,
      summary: 'Preview a file',
      description:
        'Reads the beginning of the file in the body and returns its columns, its first lines and the ' +
        'definition that would import it. Neither the file nor an import is stored.',
      operationId: 'previewImportFile',
      refusals: { ...importUploadRefusals, 400: `${importUploadRefusals[400]} sheet-missing` },
      bodyTypes: importUploadTypes,
      querystring: ImportPreviewQuery,
      response: { 200: ImportPreviewResult },
    },
    handler: async (request) =>
      previewRequestFile(context, request.account, await parsePreviewSource(request), request.query),
  })
}

/** Routes that preview files before they are imported. */
export function importPreviewRoutes(app: HttpApp, context: ServiceContext): void {
  app.get('/imports/:id/source/preview', {
    config: { right: 'read', revealing: true },
    schema: {
      tags,
      summary: 'Preview the last file of an import',
      description:
        'Reads the beginning of the last uploaded file and returns its columns, its first lines and the ' +
        'definition that would import it. Nothing changes. The answer is 404 without a file and 410 if it ' +
        'is no longer retained.',
      operationId: 'previewImportSource',
      refusals: { 400: 'sheet-missing', 404: 'no-file', 410: 'file-gone', 503: 'file-elsewhere storage-away' },
      params: Type.Object({ id: Type.String() }),
      querystring: ImportPreviewQuery,
      response: { 200: ImportPreviewResult },
    },
    handler: ({ account, params, query }) => {
      const id = parseInt32Id(params.id)
      if (id === undefined) throw notFoundProblem('import', params.id)
      return previewImportSource(context, { account, id }, query)
    },
  })
  app.register(async (scope) => registerSentPreview(scope, context))
}
