import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type SmsReport, storeSmsReports } from '../../../channels/sms/inbox.ts'
import type { ServiceContext } from '../../../context.ts'
import type { GatewayCallback } from '../../../gateways/definition.ts'
import { findGatewayCallback } from '../../../gateways/gateway-definitions.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { listConfiguredGateways } from '../../../sending/gateway-registry/configured-gateways.ts'
import { loadGateways, type OwnedGateway } from '../../../sending/gateway-registry/gateway-rows.ts'

const BODY_LIMIT = 1024 * 1024
const MAX_CALLBACK_ITEMS = 1000

const callbackValue = (description: string) => Type.Union([Type.String(), Type.Number()], { description })
/** A report or reply in the form of the contract; the settings of a gateway may rename its members. */
const CallbackItem = Type.Object(
  {
    type: Type.Optional(
      Type.String({ description: '`report` or `reply`. Absent: a report if there is a `status`, otherwise a reply.' }),
    ),
    id: Type.Optional(callbackValue('ID that the gateway gave the message; of a reply, that of the reply.')),
    status: Type.Optional(
      Type.String({
        description:
          'Status of a report: `delivered`, `failed`, `expired`, `rejected`, `unknown` or `pending`. Any other: `pending`.',
      }),
    ),
    error: Type.Optional(callbackValue('Error code of the gateway. 0: none.')),
    from: Type.Optional(callbackValue('Sender of the message or of the reply.')),
    to: Type.Optional(callbackValue('Recipient of the message or of the reply.')),
    text: Type.Optional(Type.String({ description: 'Text of a reply.' })),
    time: Type.Optional(callbackValue('Time: ISO 8601, or seconds or milliseconds since 1970. Absent: now.')),
  },
  {
    title: 'SmsCallbackItem',
    additionalProperties: true,
    description: 'Delivery report or reply, unless the settings of the gateway rename its members.',
  },
)
const callbackTypes = {
  'application/x-www-form-urlencoded': CallbackItem,
  'application/json': Type.Union([CallbackItem, Type.Array(CallbackItem, { maxItems: MAX_CALLBACK_ITEMS })]),
}
/** A gateway that was added or removed takes effect after this. */
const REFRESH_INTERVAL_MS = 3000

interface CallbackAddress {
  owned: OwnedGateway
  hook: GatewayCallback
  digest: Buffer
}

const digestToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The callback addresses of all gateways; one that cannot be read is skipped, as its gateway is. */
async function readCallbackAddresses({ db, config, masterKeys, log }: ServiceContext): Promise<CallbackAddress[]> {
  return [...(await loadGateways(db, masterKeys)), ...listConfiguredGateways(config)].flatMap(
    (owned): CallbackAddress[] => {
      try {
        const hook = findGatewayCallback(owned)
        return hook ? [{ owned, hook, digest: digestToken(hook.token) }] : []
      } catch (error) {
        log.warn({ err: error, gateway: owned.name }, 'cannot read callback settings of gateway')
        return []
      }
    },
  )
}

/** Finds callback addresses by their token, in constant time; the rows are read again every few seconds. */
function openCallbackAddresses(context: ServiceContext): (token: string) => Promise<CallbackAddress | undefined> {
  let [addresses, refreshAt] = [[] as CallbackAddress[], Number.NEGATIVE_INFINITY]
  return async (token) => {
    if (performance.now() > refreshAt) {
      addresses = await readCallbackAddresses(context)
      refreshAt = performance.now() + REFRESH_INTERVAL_MS
    }
    const tokenDigest = digestToken(token)
    return addresses.filter((callbackAddress) => timingSafeEqual(callbackAddress.digest, tokenDigest))[0]
  }
}

const HookParams = Type.Object({ token: Type.String({ maxLength: 200 }) })
type HookRequest = FastifyRequest<{ Params: { token: string } }>

/**
 * The callbacks of SMS gateways over HTTP. They answer 204 once the reports are stored, 404 for an unknown token, 403 for a wrong
 * signature, 400 for an invalid callback.
 */
export function smsHookRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock } = context
  const findAddress = openCallbackAddresses(context)

  async function answerCallback(request: HookRequest, reply: FastifyReply): Promise<FastifyReply> {
    const foundAddress = await findAddress(request.params.token)
    if (!foundAddress) throw notFoundProblem('gateway', '')
    const { owned, hook } = foundAddress
    const { method, url, headers } = request
    const queryStart = url.indexOf('?')
    const callbackCall = {
      method: method === 'GET' ? 'GET' : 'POST',
      query: queryStart === -1 ? '' : url.slice(queryStart + 1),
      contentType: headers['content-type'],
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    } as const
    const signature = headers['x-signature']
    if (!hook.isSigned(callbackCall, typeof signature === 'string' ? signature : undefined))
      throw new Problem(403, 'signature', 'X-Signature is not the HMAC-SHA256 of the content.')
    const items = hook.read(callbackCall, clock.now())
    if (!items) throw badRequestProblem('', 'must be a callback that matches the settings of the gateway')
    const gatewaySource = { gateway: owned.name, owner: owned.account }
    const reports: SmsReport[] = [
      ...items.receipts.map((report) => ({ ...gatewaySource, kind: 'receipt' as const, report })),
      ...items.replies.map((report) => ({ ...gatewaySource, kind: 'reply' as const, report })),
    ]
    await storeSmsReports(db, reports, clock.now())
    return reply.code(204).send()
  }

  app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      async (_request: unknown, body: Buffer) => body,
    )
    const routeOptions = (operationId: string, summary: string, bodyTypes = {}) => ({
      config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
      schema: {
        tags: ['gateways'],
        summary,
        description:
          'Receives delivery reports and replies from the SMS gateway that the token identifies. The answer is 204 once ' +
          'the reports are stored, 404 for an unknown token, 403 for a wrong signature and 400 for a callback that does ' +
          'not match the settings of the gateway.',
        refusals: { 403: 'signature' },
        answerTypes: { 204: [] },
        operationId,
        bodyTypes,
        params: HookParams,
      },
      handler: answerCallback,
    })
    scope.get(
      '/hooks/sms/:token',
      routeOptions('receiveSmsCallbackByQuery', 'Receive an SMS gateway callback in the query'),
    )
    scope.post(
      '/hooks/sms/:token',
      routeOptions('receiveSmsCallback', 'Receive an SMS gateway callback', callbackTypes),
    )
  })
}
