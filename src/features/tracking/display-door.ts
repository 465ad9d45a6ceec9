import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type Destination, openDestinations } from '../display/destinations.ts'
import { stampOf } from '../display/display-hits.ts'
import { identify } from '../display/identity.ts'
import { readTag, type Tag } from '../display/tokens.ts'
import { isAway, soon } from './away.ts'
import type { Recording, Seen } from './recording.ts'
import { locationOf } from './targets.ts'

/** What the door is given of the public endpoints. */
export interface Surroundings {
  context: Context
  recording: Recording
  /** Answers a token that is none. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  seenIn(request: FastifyRequest): Seen
  pixel: Buffer
}

/** A request of a tag: `r` is the nonce of its page, `consent` is 1 when the visitor agrees to be known again. */
export type DisplayRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: { r?: unknown; consent?: unknown }
}>

/** What answers the tags of display contents. */
export interface DisplayDoor {
  impression(request: DisplayRequest, reply: FastifyReply): Promise<FastifyReply>
  redirection(request: DisplayRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** The answer to a picture hangs on nothing that only the database knows. */
const UNKNOWN: Omit<Destination, 'url'> = { identity: 'none', isContact: false }

/** Opens the door of display: what is asked for is stored before it is answered. */
export function openDisplayDoor({ context, recording, refuse, seenIn, pixel }: Surroundings): DisplayDoor {
  const { db, clock, tokens } = context
  const destinations = openDestinations(db, soon)

  /** Records who saw what, and sets the cookie where that is allowed. */
  async function record(
    { request, reply }: { request: DisplayRequest; reply: FastifyReply },
    tag: Tag,
    rule: Omit<Destination, 'url'>,
    url: string | null,
  ): Promise<void> {
    const now = clock.now()
    const { r, consent } = request.query
    const asked = { cookies: request.headers.cookie, hasConsent: consent === '1' }
    const { contact, cookie } = identify(tokens, tag, asked, rule, now)
    if (cookie !== undefined) reply.header('set-cookie', cookie)
    const nonce = typeof r === 'string' && r !== '' ? r : undefined
    const display = { ...tag, contact, stamp: stampOf(tag, nonce, now), isJoined: nonce !== undefined }
    const type = url === null ? 'impression' : 'redirection'
    await recording.recordDisplay(display, { type, url }, seenIn(request))
  }

  return {
    async impression(request, reply) {
      const tag = readTag(tokens, 'impression', request.params.token)
      if (!tag) return refuse(request, reply)
      const rule = await destinations.find(tag).catch((error) => {
        if (isAway(error)) return UNKNOWN
        throw error
      })
      // Who asks for the headers alone has shown nothing to anybody.
      if (rule && request.method !== 'HEAD') await record({ request, reply }, tag, rule, null)
      return reply.header('cache-control', 'no-store').type('image/gif').send(pixel)
    },
    async redirection(request, reply) {
      const tag = readTag(tokens, 'redirection', request.params.token)
      const found = tag && (await destinations.find(tag))
      if (!tag || !found) return refuse(request, reply)
      await record({ request, reply }, tag, found, found.url)
      return reply.code(302).header('location', locationOf(found.url)).send()
    },
  }
}
