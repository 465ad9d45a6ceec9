import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import { parsePushReportAddress } from '../../lib/crypto/push-tokens.ts'
import type { HitRecorder, HitRequester } from './hits/hit-recorder.ts'

/** Dependencies of the endpoint of apps. */
export interface PushEndpointDependencies {
  context: Pick<ServiceContext, 'tokens'>
  recorder: HitRecorder
  /** Answers an invalid token. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  requesterOf(request: FastifyRequest): HitRequester
}

/** A report of an app. */
export type PushHitRequest = FastifyRequest<{
  Params: { agency: string; customer: string; message: string; token: string }
}>

/** The handler of what installed apps report of push messages; it is stored before it is answered. */
export function createPushEndpoint({ context, recorder, refuse, requesterOf }: PushEndpointDependencies) {
  return async (request: PushHitRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { agency, customer, message, token } = request.params
    const pushReportAddress = parsePushReportAddress(context.tokens, { agency, customer }, { message, token })
    if (!pushReportAddress) return refuse(request, reply)
    // A HEAD request reports nothing.
    if (request.method !== 'HEAD')
      await recorder.recordPush(pushReportAddress.token, pushReportAddress.sign, requesterOf(request))
    return reply.code(204).send()
  }
}
