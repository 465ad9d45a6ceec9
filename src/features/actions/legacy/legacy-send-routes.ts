import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { createMemberLister, requireReplaceApproval } from '../../../http/resource/live-writes.ts'
import { parseRequestJson } from '../../../http/validation/json.ts'
import { notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseContactId } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { parseActionRef } from '../resource/ids.ts'
import { sendLegacyMessage } from './legacy-send.ts'
import { LegacySendBody, legacyOverrideMembers } from './legacy-send-schemas.ts'

const MULTIPART_TYPE = 'multipart/form-data'

/** A form in place of the JSON body. */
const LegacySendForm = Type.Object(
  {
    model: Type.Optional(Type.String({ contentMediaType: 'application/json', description: 'Body, as JSON.' })),
    attachments: Type.Optional(
      Type.Array(Type.String({ contentMediaType: 'application/octet-stream' }), { description: 'Files to attach.' }),
    ),
  },
  { title: 'SendActionToTargetForm' },
)

const listOverrideMembers = createMemberLister<LegacySendBody>(legacyOverrideMembers)

/** With these the answer is the stamp's thread; with any other Accept it is empty. */
const ID_RESPONSE_TYPES = ['application/vnd.mperf.v8.message.id', 'application/vnd.mperf.v8.id.v1']

function acceptsThreadId({ headers }: FastifyRequest): boolean {
  const acceptedTypes = (headers.accept ?? '')
    .split(',')
    .map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  return acceptedTypes.some((type) => ID_RESPONSE_TYPES.includes(type))
}

async function parseFormData(body: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch {
    throw new Problem(400, 'malformed-body', 'The multipart body cannot be read (RFC 7578).')
  }
}

/** A form (RFC 7578) as the JSON body it stands for: the part `model`, and the files of the parts `attachments`. */
async function parseMultipart({ headers }: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined
  const form = await parseFormData(body, headers['content-type'] ?? '')
  const part = form.get('model')
  const model = typeof part === 'string' ? part : await part?.text()
  const modelBody = model === undefined || model.trim() === '' ? {} : parseRequestJson(model)
  const files = form.getAll('attachments').filter((file) => typeof file !== 'string')
  const isEmptyList = Array.isArray(modelBody) && modelBody.length === 0
  if (!(isJsonObject(modelBody) || isEmptyList) || files.length === 0) return modelBody
  const attachments = files.map(async (file) => ({
    name: file.name,
    mime: file.type.split(';', 1)[0] || 'application/octet-stream',
    data: { type: 'base64', value: Buffer.from(await file.arrayBuffer()).toString('base64') },
  }))
  return { ...modelBody, attachments: await Promise.all(attachments) }
}

/** The send of one message to one contact as it was before executions (deprecated). */
export function legacySendRoutes(app: HttpApp, context: ServiceContext): void {
  app.register(async (scope: HttpApp) => {
    scope.addContentTypeParser(MULTIPART_TYPE, { parseAs: 'buffer', bodyLimit: LARGE_BODY_LIMIT_BYTES }, parseMultipart)
    scope.post('/actions/:id/targets/:targetId', {
      bodyLimit: LARGE_BODY_LIMIT_BYTES,
      config: { right: 'send', accepts: [MULTIPART_TYPE], audit: AUDIT_EXEMPTIONS.execution },
      schema: {
        tags: ['actions'],
        summary: 'Send a message to a contact by ID',
        description:
          'Deprecated: use `POST /actions/{id}/execution`. Sends the message of a validated action to one contact, with the same effect as an execution. Answers 204, or 200 with the stamp thread if `Accept` is `application/vnd.mperf.v8.message.id` or `application/vnd.mperf.v8.id.v1`. A multipart body has the JSON in the part `model` and files in parts `attachments`.',
        operationId: 'sendActionToTarget',
        refusals: { 403: 'approval-required', 409: 'action-state content-fixed field-missing' },
        bodyTypes: { 'multipart/form-data': LegacySendForm },
        deprecated: true,
        params: Type.Object({ id: Type.String(), targetId: Type.String() }),
        body: Type.Union([LegacySendBody, Type.Null()]),
        response: { 200: Type.String({ description: 'Thread of the stamp.' }), 204: Type.Null() },
      },
      handler: async (request, reply) => {
        const { params, account, body } = request
        requireReplaceApproval(request, { items: [body ?? {}], isList: false, replaces: listOverrideMembers })
        const contact = parseContactId(params.targetId)
        if (contact === undefined) throw notFoundProblem('target', params.targetId)
        const thread = await sendLegacyMessage(
          context,
          { action: parseActionRef(account, params.id), contact },
          body ?? {},
        )
        if (!acceptsThreadId(request)) return reply.code(204).send(null)
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(thread) as never)
      },
    })
  })
}
