import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import { type DisplayTarget, openDisplayTargetCache } from '../display/destinations.ts'
import { deriveDisplayStamp } from '../display/display-hits.ts'
import { identifyVisitor } from '../display/identity.ts'
import { type DisplayTag, parseDisplayTag } from '../display/tokens.ts'
import type { HitRecorder, HitRequester } from './hits/hit-recorder.ts'
import { toLocationHeader } from './targets.ts'
import { isUnavailableError, withDatabaseTimeout } from './unavailable.ts'

/** Dependencies of the display endpoints. */
export interface DisplayDependencies {
  context: ServiceContext
  recorder: HitRecorder
  /** Answers an invalid token. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  requesterOf(request: FastifyRequest): HitRequester
  pixel: Buffer
}

/** A request of a tag: `r` is the nonce of its page, `consent` is 1 when the visitor agrees to a cookie. */
export type DisplayRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: { r?: unknown; consent?: unknown }
}>

/** The handlers of requests made by tags of display contents. */
export interface DisplayEndpoints {
  impression(request: DisplayRequest, reply: FastifyReply): Promise<FastifyReply>
  redirection(request: DisplayRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** A picture can be answered without the database. */
const UNKNOWN_TARGET: Omit<DisplayTarget, 'url'> = { identity: 'none', isContact: false }

/** Creates the handlers; a hit is stored before its request is answered. */
export function openDisplayEndpoints({
  context,
  recorder,
  refuse,
  requesterOf,
  pixel,
}: DisplayDependencies): DisplayEndpoints {
  const { db, clock, tokens } = context
  const destinations = openDisplayTargetCache(db, withDatabaseTimeout)

  /** Records the hit, and sets the cookie where that is allowed. */
  async function recordRequest(
    { request, reply }: { request: DisplayRequest; reply: FastifyReply },
    tag: DisplayTag,
    rule: Omit<DisplayTarget, 'url'>,
    url: string | null,
  ): Promise<void> {
    const now = clock.now()
    const { r: nonceParameter, consent } = request.query
    const visitorRequest = { cookies: request.headers.cookie, hasConsent: consent === '1' }
    const { contact, cookie: identityCookie } = identifyVisitor(tokens, tag, visitorRequest, rule, now)
    if (identityCookie !== undefined) reply.header('set-cookie', identityCookie)
    const nonce = typeof nonceParameter === 'string' && nonceParameter !== '' ? nonceParameter : undefined
    const display = { ...tag, contact, stamp: deriveDisplayStamp(tag, nonce, now), isJoined: nonce !== undefined }
    const type = url === null ? 'impression' : 'redirection'
    await recorder.recordDisplay(display, { type, url }, requesterOf(request))
  }

  return {
    async impression(request, reply) {
      const tag = parseDisplayTag(tokens, 'impression', request.params.token)
      if (!tag) return refuse(request, reply)
      const rule = await destinations.find(tag).catch((error) => {
        if (isUnavailableError(error)) return UNKNOWN_TARGET
        throw error
      })
      // A HEAD request displays nothing.
      if (rule && request.method !== 'HEAD') await recordRequest({ request, reply }, tag, rule, null)
      return reply.header('cache-control', 'no-store').type('image/gif').send(pixel)
    },
    async redirection(request, reply) {
      const tag = parseDisplayTag(tokens, 'redirection', request.params.token)
      const displayTarget = tag && (await destinations.find(tag))
      if (!tag || !displayTarget) return refuse(request, reply)
      await recordRequest({ request, reply }, tag, displayTarget, displayTarget.url)
      return reply.code(302).header('location', toLocationHeader(displayTarget.url)).send()
    },
  }
}
