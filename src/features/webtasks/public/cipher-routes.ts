import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb, recordStandaloneAudit } from '../../../http/resource/audit-requests.ts'
import { listCapabilities } from '../../../scripting/scripting-object.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { requireScriptApproval } from '../../script-host/run-refusals.ts'
import { WebtaskCipherBody, WebtaskCipherToken } from '../executions/execution-schemas.ts'
import { readWebtaskKey, WEBTASKS_PATH } from '../paths.ts'
import { loadWebtask } from '../stored.ts'
import { WebtaskParams, webtaskWriteRefusals } from '../webtask-schemas.ts'
import { renewWebtaskCipher } from '../webtasks.ts'
import { createWebtaskToken } from './tokens.ts'

const ROUTE_TAGS = ['webtasks']
const CIPHER_PATH = `${WEBTASKS_PATH}/:id/cipher`

/** Tokens of a webtask: they hold data that nobody can read or change, and run it without a key where that is allowed. */
export function webtaskCipherRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  const config = { right: 'write', audit: { object: 'webtask' } } as const
  /** The audit records only the expiry of a token, not its content. */
  const createToken = async (request: FastifyRequest, body: WebtaskCipherBody) => {
    const maker = request.person?.id ?? request.apiKey
    const webtask = await loadWebtask(db, readWebtaskKey(request))
    const capabilities = listCapabilities(webtask.scripting)
    await requireScriptApproval(db, { account: webtask.account, capabilities, makers: [request.person?.id ?? null] })
    const token = await createWebtaskToken(context, webtask, body, maker)
    await recordStandaloneAudit(request, db, { said: { cipher: { expires: token.expires } } })
    return token
  }
  app.get(CIPHER_PATH, {
    config,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Create a webtask token without data',
      description:
        'Returns a token without data and without expiry. It is valid until its key is revoked or the user who created it leaves the account.',
      operationId: 'createWebtaskTokenWithoutData',
      refusals: webtaskWriteRefusals,
      params: WebtaskParams,
      response: { 200: WebtaskCipherToken },
    },
    handler: (request) => createToken(request, {}),
  })
  app.post(CIPHER_PATH, {
    config,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Create a webtask token',
      description:
        'Returns a token that holds the given data, encrypted, and runs the webtask without a key where that is allowed. It is valid until it expires, its key is revoked, or the user who created it leaves the account. Content above 8 KB is refused with 400.',
      operationId: 'createWebtaskToken',
      refusals: webtaskWriteRefusals,
      params: WebtaskParams,
      body: nullableSchema(WebtaskCipherBody),
      response: { 200: WebtaskCipherToken },
    },
    handler: (request) => createToken(request, request.body ?? {}),
  })
  app.delete(CIPHER_PATH, {
    config,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Revoke the tokens of a webtask',
      description: 'Invalidates every token created so far. Tokens created later are not affected.',
      operationId: 'revokeWebtaskTokens',
      refusals: webtaskWriteRefusals,
      params: WebtaskParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await renewWebtaskCipher(createAuditedDb(request, db, { said: { cipher: 'renewed' } }), readWebtaskKey(request))
      return reply.code(204).send(null)
    },
  })
}
