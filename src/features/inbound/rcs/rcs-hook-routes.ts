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
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { findRcsProfiles, listRcsProfilesByAgent, type StoredRcsProfile } from '../../rcs-profiles/profiles.ts'
import { unsealRcsSecret } from '../../rcs-profiles/provider.ts'
import { findProfileByWebhookToken } from '../../rcs-profiles/webhook-tokens.ts'
import { type RcsHookCounter, registerRcsHookMetrics } from './rcs-hook-metrics.ts'
import type { ParsedRcsReport } from './rcs-inbox.ts'
import { openRcsIntake, type RcsIntake } from './rcs-intake.ts'

const BODY_LIMIT = 256 * 1024

const HookParams = Type.Object({ token: Type.String({ maxLength: 200 }) })
type HookRequest = FastifyRequest<{ Params: { token: string } }>

interface RcsHook {
  context: ServiceContext
  counts: RcsHookCounter
  intake: RcsIntake
}

/** Null: none is set, and nobody can prove anything by it. */
function openClientToken({ masterKeys, log }: ServiceContext, profile: StoredRcsProfile): string | null {
  try {
    return unsealRcsSecret(masterKeys, profile.id, 'clientToken', profile.clientToken)
  } catch (error) {
    log.error({ err: error, profile: profile.id }, 'cannot open client token of RCS profile')
    throw new Problem(503, 'unavailable', 'The client token of the profile cannot be read.')
  }
}

function refuseRequest({ counts }: RcsHook, detail: string): Problem {
  counts.request('refused')
  return new Problem(403, 'signature', detail)
}

/** True if an agent belongs to a profile of the account; it may differ from the profile of the address. */
async function isAccountAgent(
  { context: { db } }: RcsHook,
  { account, agent: profileAgent }: StoredRcsProfile,
  agent: string,
): Promise<boolean> {
  return profileAgent === agent || (await listRcsProfilesByAgent(db, account, agent)).length > 0
}

/**
 * Selects the part of an authenticated event to record. `undefined` if there is nothing to record: the event is then counted by its
 * outcome.
 */
async function acceptEvent(
  hook: RcsHook,
  profile: StoredRcsProfile,
  event: RcsWebhookEvent | undefined,
): Promise<ParsedRcsReport | undefined> {
  const { counts } = hook
  const agent = event?.agent ?? null
  if (agent !== null && !(await isAccountAgent(hook, profile, agent))) {
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
async function answerRequest(
  hook: RcsHook,
  profile: StoredRcsProfile,
  request: HookRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const clientToken = openClientToken(hook.context, profile)
  const webhookBody = Buffer.isBuffer(request.body) ? parseRcsWebhook(request.body) : undefined
  if (clientToken === null || !webhookBody) throw refuseRequest(hook, 'The request is neither signed nor a handshake.')
  if (webhookBody.kind === 'handshake') {
    if (!isRcsHandshakeValid(clientToken, webhookBody)) throw refuseRequest(hook, 'The client token does not match.')
    hook.counts.request('handshake')
    return reply.code(200).type('text/plain').send(webhookBody.secret)
  }
  const signature = request.headers['x-goog-signature']
  if (!isRcsSignatureValid(clientToken, webhookBody.data, typeof signature === 'string' ? signature : undefined))
    throw refuseRequest(hook, 'X-Goog-Signature is not the HMAC-SHA512 of the decoded data.')
  hook.counts.unknownHeaders(request.headers)
  const report = await acceptEvent(hook, profile, parseRcsEvent(webhookBody))
  if (report) {
    await hook.intake.take({ account: profile.account, report })
    hook.counts.request('stored')
  }
  return reply.code(200).send()
}

/** A call of Google: the handshake, or an event that Pub/Sub pushes. */
const WebhookCall = Type.Union([
  Type.Object({
    clientToken: Type.String({ description: 'Client token of the profile.' }),
    secret: Type.String({ description: 'Secret to answer with.' }),
  }),
  Type.Object(
    {
      message: Type.Object(
        {
          data: Type.String({ description: 'Event of RCS Business Messaging as JSON, in base64.' }),
          attributes: Type.Optional(
            Type.Record(Type.String(), Type.String(), { description: 'Attributes of the event, such as its type.' }),
          ),
        },
        { additionalProperties: true, description: 'Message of Pub/Sub.' },
      ),
    },
    { additionalProperties: true },
  ),
])

/**
 * The webhook of RCS. It answers 200 once the report is stored, also if it is a duplicate or needs no action; 404 without a body for an
 * unknown token; 403 for an unauthenticated request.
 */
export function rcsHookRoutes(app: HttpApp, context: ServiceContext, registry: Registry): void {
  const { db, clock } = context
  const hook: RcsHook = { context, counts: registerRcsHookMetrics(registry), intake: openRcsIntake(context) }
  const profiles = new WeakMap<FastifyRequest, StoredRcsProfile>()

  // Runs before the body is read: unknown clients cannot make the service read one.
  async function findProfile(request: HookRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const key = await findProfileByWebhookToken(db, request.params.token, new Date(clock.now()))
    const [profile] = key ? await findRcsProfiles(db, [key]) : []
    if (!profile) return reply.code(404).send()
    profiles.set(request, profile)
    return undefined
  }

  app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers()
    const rawBodyOptions = { parseAs: 'buffer', bodyLimit: BODY_LIMIT } as const
    scope.addContentTypeParser('*', rawBodyOptions, async (_request: unknown, body: Buffer) => body)
    scope.addHook('onClose', () => hook.intake.idle())
    scope.post('/hooks/rcs/:token', {
      config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
      schema: {
        tags: ['gateways'],
        summary: 'Receive an RCS webhook call',
        description:
          'Receives delivery reports and replies from Google RCS Business Messaging for the profile that the ' +
          'token identifies. The handshake of Google is answered with its secret; every other call must be ' +
          'signed with the client token of the profile. The answer is 200 once the report is stored, also ' +
          'for a repeated or unknown event.',
        operationId: 'receiveRcsCallback',
        refusals: { 403: 'signature' },
        bodyTypes: { 'application/json': WebhookCall },
        answerTypes: { 200: ['text/plain'] },
        params: HookParams,
      },
      onRequest: findProfile,
      handler: (request: HookRequest, reply) => answerRequest(hook, profiles.get(request)!, request, reply),
    })
  })
}
