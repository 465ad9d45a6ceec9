import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import {
  isRcsHandshakeValid,
  isRcsSignatureValid,
  parseRcsEvent,
  parseRcsWebhook,
  type RcsWebhookEvent,
} from '../../../gateways/rcs-google/hook.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { findRcsProfiles, listRcsProfilesByAgent, type StoredRcsProfile } from '../../rcs-profiles/profiles.ts'
import { unsealRcsSecret } from '../../rcs-profiles/provider.ts'
import { findProfileByWebhookToken } from '../../rcs-profiles/webhook-tokens.ts'
import { type RcsHookCounter, registerRcsHookMetrics } from './rcs-hook-metrics.ts'
import type { ParsedRcsReport } from './rcs-inbox.ts'
import { openRcsIntake, type RcsIntake } from './rcs-intake.ts'

const BODY_LIMIT = 256 * 1024

const Params = Type.Object({ token: Type.String({ maxLength: 200 }) })
type Request = FastifyRequest<{ Params: { token: string } }>

interface Hook {
  context: ServiceContext
  counts: RcsHookCounter
  intake: RcsIntake
}

/** Null: none is set, and nobody can prove anything by it. */
function clientTokenOf({ masterKeys, log }: ServiceContext, profile: StoredRcsProfile): string | null {
  try {
    return unsealRcsSecret(masterKeys, profile.id, 'clientToken', profile.clientToken)
  } catch (error) {
    log.error({ err: error, profile: profile.id }, 'cannot open the client token of an RCS profile')
    throw new Problem(503, 'unavailable', 'The client token of the profile cannot be read.')
  }
}

function refuse({ counts }: Hook, detail: string): Problem {
  counts.request('refused')
  return new Problem(403, 'signature', detail)
}

/** Whether an agent is one of a profile of the account; the profile of the address need not be its own. */
async function isOwn(
  { context: { db } }: Hook,
  { account, agent: own }: StoredRcsProfile,
  agent: string,
): Promise<boolean> {
  return own === agent || (await listRcsProfilesByAgent(db, account, agent)).length > 0
}

/** What of a proved event is to be recorded; undefined: nothing, and it is counted as what. */
async function accept(
  hook: Hook,
  profile: StoredRcsProfile,
  event: RcsWebhookEvent | undefined,
): Promise<ParsedRcsReport | undefined> {
  const { counts } = hook
  const agent = event?.agent ?? null
  if (agent !== null && !(await isOwn(hook, profile, agent))) {
    counts.request('dropped')
    return undefined
  }
  if (event === undefined || event.kind === 'unknown') {
    counts.request('unknown')
    counts.unknownEvent(event?.name ?? 'malformed')
    return undefined
  }
  if (event.kind !== 'typing') return event
  counts.request('ignored')
  return undefined
}

/** Proves a request, and answers it once what it reports is stored. */
async function answer(
  hook: Hook,
  profile: StoredRcsProfile,
  request: Request,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const clientToken = clientTokenOf(hook.context, profile)
  const received = Buffer.isBuffer(request.body) ? parseRcsWebhook(request.body) : undefined
  if (clientToken === null || !received)
    throw refuse(hook, 'This proves nothing: it is neither signed nor a handshake.')
  if (received.kind === 'handshake') {
    if (!isRcsHandshakeValid(clientToken, received)) throw refuse(hook, 'The client token is another one.')
    hook.counts.request('handshake')
    return reply.code(200).type('text/plain').send(received.secret)
  }
  const signature = request.headers['x-goog-signature']
  if (!isRcsSignatureValid(clientToken, received.data, typeof signature === 'string' ? signature : undefined))
    throw refuse(hook, 'X-Goog-Signature is not the HMAC-SHA512 of the decoded data.')
  hook.counts.unknownHeaders(request.headers)
  const report = await accept(hook, profile, parseRcsEvent(received))
  if (report) {
    await hook.intake.take({ account: profile.account, report })
    hook.counts.request('stored')
  }
  return reply.code(200).send()
}

/**
 * The webhook of RCS (rcs.md 7): 200 once what is reported is stored, also when it is known or nothing is to be done; 404
 * without a body for an unknown token, 403 for what is not proved.
 */
export function rcsHookRoutes(app: HttpApp, context: ServiceContext, registry: Registry): void {
  const { db, clock } = context
  const hook: Hook = { context, counts: registerRcsHookMetrics(registry), intake: openRcsIntake(context) }
  const profiles = new WeakMap<FastifyRequest, StoredRcsProfile>()

  // Before the body is read: a stranger has none read.
  async function findProfile(request: Request, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = await findProfileByWebhookToken(db, request.params.token, new Date(clock.now()))
    const [profile] = key ? await findRcsProfiles(db, [key]) : []
    if (!profile) return reply.code(404).send()
    profiles.set(request, profile)
    return undefined
  }

  app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers()
    const parsing = { parseAs: 'buffer', bodyLimit: BODY_LIMIT } as const
    scope.addContentTypeParser('*', parsing, async (_request: unknown, body: Buffer) => body)
    scope.addHook('onClose', () => hook.intake.idle())
    scope.post('/hooks/rcs/:token', {
      config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
      schema: { tags: ['gateways'], summary: 'webhook of RCS', params: Params },
      onRequest: findProfile,
      handler: (request: Request, reply) => answer(hook, profiles.get(request)!, request, reply),
    })
  })
}
