import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type AnswerTextForm, maskAnswerChunks, maskAnswerText } from '../../lib/text/masked-text.ts'
import type { PersonalFields } from '../../lib/text/masking.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { HttpApp } from '../app-type.ts'
import { createLookupLimiter } from './lookups.ts'

/** Throws 403 for a request whose answer cannot be masked, or would say what is. */
export function requireUnmaskedAccess(request: FastifyRequest, actionName: string): void {
  if (request.masking === null) return
  throw new Problem(403, 'masked', `${actionName}, but this account masks addresses and numbers for viewers.`)
}

/** The form of an answer; undefined if it is not text. An answer may be JSON whatever its media type is called. */
function detectAnswerForm(reply: FastifyReply): AnswerTextForm | undefined {
  const type = String(reply.getHeader('content-type') ?? '').toLowerCase()
  if (type.includes('event-stream')) return 'events'
  if (type.includes('ndjson')) return 'lines'
  if (type.startsWith('text/')) return 'text'
  return /^(?:image|audio|video|font)\//.test(type) ? undefined : 'json'
}

/** Masks the payload of an answer if it is a stream or a text. */
function maskPayload(payload: unknown, form: AnswerTextForm, personal: PersonalFields): unknown {
  if (typeof payload === 'string') return maskAnswerText(payload, form, personal)
  if (Buffer.isBuffer(payload)) return maskAnswerText(payload.toString(), form, personal)
  if (payload instanceof Readable) {
    const maskedStream = Readable.from(maskAnswerChunks(payload, form, personal), { objectMode: false })
    // A stream that nobody has read of does not end what it is made of.
    return maskedStream.once('close', () => payload.destroy())
  }
  return payload
}

/**
 * Masks addresses and numbers in every answer to people who may not see them, and refuses the operations whose answers
 * show them whatever is masked. What they look up by addresses has a limit of its own. Registered before what makes entity tags and keeps answers, so that those know the
 * masked one.
 */
export function registerAnswerMasking(
  app: HttpApp,
  { personalOf, clock }: { personalOf: (account: AccountId) => Promise<PersonalFields>; clock: Clock },
): void {
  const limitLookups = createLookupLimiter()
  app.decorateRequest('masking', null)
  app.addHook('onRequest', async (request) => {
    const { account, person, routeOptions } = request
    // People's own affairs are not masked.
    if (!person?.masked || routeOptions.config?.session === 'own') return
    request.masking = await personalOf(account)
    if (routeOptions.config?.revealing) requireUnmaskedAccess(request, 'This shows addresses and numbers as they are')
  })
  app.addHook('preHandler', async (request) => limitLookups(request, clock.now()))
  app.addHook('onSend', async ({ masking }, reply, payload) => {
    const form = masking !== null && payload != null ? detectAnswerForm(reply) : undefined
    if (masking === null || form === undefined) return payload
    reply.removeHeader('content-length')
    return maskPayload(payload, form, masking)
  })
}
