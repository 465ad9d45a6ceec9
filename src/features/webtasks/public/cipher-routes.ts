import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { tell, told } from '../../../http/resource/audit.ts'
import { capabilitiesOf } from '../../../scripting/scripting-object.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { refuseUnapproved } from '../../script-host/run-refusals.ts'
import { CipherBody, CipherToken } from '../executions/execution-schemas.ts'
import { WEBTASKS, webtaskKey } from '../paths.ts'
import { loadWebtask } from '../stored.ts'
import { WebtaskParams } from '../webtask-schemas.ts'
import { renewCipher } from '../webtasks.ts'
import { mintToken } from './tokens.ts'

const tags = ['webtasks']
const ONE = `${WEBTASKS}/:id/cipher`

/** Tokens of a webtask: they hold data that nobody can read or change, and run it without a key where that is allowed. */
export function webtaskCipherRoutes(app: App, context: Context): void {
  const { db } = context
  const config = { right: 'write', audit: { object: 'webtask' } } as const
  /** Of what a token holds, the audit says until when it is good. */
  const mint = async (request: FastifyRequest, body: CipherBody) => {
    const maker = request.person?.id ?? request.apiKey
    const webtask = await loadWebtask(db, webtaskKey(request))
    const capabilities = capabilitiesOf(webtask.scripting)
    await refuseUnapproved(db, { account: webtask.account, capabilities, makers: [request.person?.id ?? null] })
    const token = await mintToken(context, webtask, body, maker)
    await tell(request, db, { said: { cipher: { expires: token.expires } } })
    return token
  }
  app.get(ONE, {
    config,
    schema: { tags, summary: 'make a token without data', params: WebtaskParams, response: { 200: CipherToken } },
    handler: (request) => mint(request, {}),
  })
  app.post(ONE, {
    config,
    schema: {
      ...{
        tags,
        summary: 'make a token',
        description:
          'It is good until it expires, the key that made it is revoked, or the person who made it leaves the account.',
      },
      ...{ params: WebtaskParams, body: nullable(CipherBody), response: { 200: CipherToken } },
    },
    handler: (request) => mint(request, request.body ?? {}),
  })
  app.delete(ONE, {
    config,
    schema: {
      ...{ tags, summary: 'revoke tokens', description: 'every token made so far' },
      ...{ params: WebtaskParams, response: { 204: Type.Null() } },
    },
    handler: async (request, reply) => {
      await renewCipher(told(request, db, { said: { cipher: 'renewed' } }), webtaskKey(request))
      return reply.code(204).send(null)
    },
  })
}
