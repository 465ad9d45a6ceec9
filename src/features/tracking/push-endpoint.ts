import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { readPushAddress } from '../../lib/crypto/push-tokens.ts'
import type { HitRecorder, Requester } from './hits/hit-recorder.ts'

/** Dependencies of the endpoint of apps. */
export interface PushDependencies {
  context: Pick<Context, 'tokens'>
  recorder: HitRecorder
  /** Answers an invalid token. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  requesterOf(request: FastifyRequest): Requester
}

/** A report of an app. */
export type PushRequest = FastifyRequest<{
  Params: { agency: string; customer: string; message: string; token: string }
}>

/** The handler of what installed apps report of push messages; it is stored before it is answered. */
export function pushEndpoint({ context, recorder, refuse, requesterOf }: PushDependencies) {
  return async (request: PushRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { agency, customer, message, token } = request.params
    const read = readPushAddress(context.tokens, { agency, customer }, { message, token })
    if (!read) return refuse(request, reply)
    // A HEAD request reports nothing.
    if (request.method !== 'HEAD') await recorder.recordPush(read.token, read.sign, requesterOf(request))
    return reply.code(204).send()
  }
}
