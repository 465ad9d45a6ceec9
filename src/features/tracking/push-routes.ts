import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { readPushAddress } from '../../lib/push-tokens.ts'
import type { HitRecorder, Requester } from './hit-recorder.ts'

const Params = Type.Object({
  agency: Type.String(),
  customer: Type.String(),
  message: Type.String(),
  token: Type.String(),
})

/** Dependencies of the endpoint. */
export interface PushDependencies {
  context: Context
  recorder: HitRecorder
  /** Answers an invalid token. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  requesterOf(request: FastifyRequest): Requester
}

/** Registers what installed apps call to report what became of a push message. */
export function registerPushes(scope: App, { context, recorder, refuse, requesterOf }: PushDependencies): void {
  const schema = {
    tags: ['recipients'],
    summary: 'report what became of a push message',
    description: 'Answers once it is stored. A repetition changes nothing; the messages of previews record nothing.',
    params: Params,
    response: { 204: Type.Null() },
  }
  scope.get(
    '/hit/:agency/:customer/:message/link/:token',
    { config: { public: true }, schema },
    async (request, reply) => {
      const { agency, customer, message, token } = request.params
      const read = readPushAddress(context.tokens, { agency, customer }, { message, token })
      if (!read) return refuse(request, reply)
      // A HEAD request reports nothing.
      if (request.method !== 'HEAD') await recorder.recordPush(read.token, read.sign, requesterOf(request))
      return reply.code(204).send(null)
    },
  )
}
