import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Registry } from 'prom-client'
import { type TSchema, Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { parseRequestJson } from '../../../http/validation/json.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { findAccount } from '../../accounts/accounts.ts'
import { parseSubscriptionPut } from '../read-put.ts'
import { DeviceSubscriptionBody, DeviceTelemetryBody } from '../subscription-schemas.ts'
import { openDeviceGuard } from './device-guard.ts'
import { createDeviceWriter } from './device-writer.ts'
import { openTelemetryCounter } from './telemetry.ts'

const DEVICE_API_PATH = '/api/v1.0/:agency/:customer'
const BODY_LIMIT = 16 * 1024
const tags = ['devices']
const AccountParams = Type.Object({ agency: Type.String(), customer: Type.String() })
type DeviceRequest = FastifyRequest<{ Params: { agency: string; customer: string } }>

/** Web apps call from their own origin. */
const CORS_HEADERS = { 'access-control-allow-origin': '*' }
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'PUT, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
}

const DETACH_DESCRIPTION =
  'Registers an installation of an app, as apps do, without a key. The contact in `linked` need not exist: by unicity ' +
  'or hash, the device is attached once the contact is created. With `detach: true` and without `linked`, the device ' +
  'is detached from its contact, as after a sign-out.'

const TELEMETRY_DESCRIPTION = 'Counts a report of an app by its `type`; the report itself is not stored.'

/** Refusals have no body. */
const answerTypes = { 200: ['application/json'], 400: [], 403: [], 404: [], 409: [], 413: [], 429: [], 503: [] }

const utf8Decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a body, whatever its type is called. Throws 400. */
function parseJsonBody({ body }: FastifyRequest): unknown {
  if (!Buffer.isBuffer(body)) throw new Problem(400, 'malformed-body', 'A body is required.')
  let text: string
  try {
    text = utf8Decoder.decode(body)
  } catch {
    throw new Problem(400, 'malformed-body', 'The body is not UTF-8.')
  }
  return parseRequestJson(text)
}

/** The status and headers of a refusal: apps receive no other details. */
function buildRefusal(error: unknown): { status: number; headers: Record<string, string> } | undefined {
  if (error instanceof Problem) return { status: error.status, headers: error.headers }
  if (isDatabaseUnavailable(error)) return { status: 503, headers: { 'retry-after': '5' } }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? { status, headers: {} } : undefined
}

/** Raw bodies, headers of every answer, and refusals without a body. */
function registerCommonHooks(scope: HttpApp): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({ ...CORS_HEADERS, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: Buffer) => body,
  )
  scope.setErrorHandler((error, request, reply) => {
    const refusal = buildRefusal(error)
    if (!refusal || refusal.status === 503) request.log.error({ err: error }, 'device request failed')
    return reply
      .code(refusal?.status ?? 500)
      .headers(refusal?.headers ?? {})
      .send()
  })
}

const MAX_CACHED_ACCOUNTS = 10_000
const ACCOUNT_TTL_MS = 60_000

/** The accounts of paths, kept a minute. Throws notFound. */
function createAccountFinder({
  db,
}: ServiceContext): (params: { agency: string; customer: string }) => Promise<AccountId> {
  const cachedAccounts = new LRUCache<string, AccountId>({ max: MAX_CACHED_ACCOUNTS, ttl: ACCOUNT_TTL_MS })
  return async ({ agency, customer }) => {
    const code = `${agency}${customer}`.toUpperCase()
    if (agency.length !== 4 || customer.length !== 3) throw notFoundProblem('account', code.slice(0, 20))
    const account = cachedAccounts.get(code) ?? (await findAccount(db, code))
    cachedAccounts.set(code, account)
    return account
  }
}

function answerStored(reply: FastifyReply): FastifyReply {
  return reply.code(200).type('application/json; charset=utf-8').send('{}')
}

/** The API that installed apps call, without a key. */
export function deviceRoutes(app: HttpApp, context: ServiceContext, registry: Registry): void {
  const { clock, config } = context
  const deviceGuard = openDeviceGuard(config.deviceLimits)
  const deviceWriter = createDeviceWriter(context, deviceGuard)
  const count = openTelemetryCounter(registry)
  const accountOf = createAccountFinder(context)
  const options = (operationId: string, summary: string, bodySchema: TSchema, body = '') => ({
    config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
    schema: {
      tags,
      summary,
      operationId,
      refusals: { 410: 'gone' },
      bodyTypes: { 'application/json': bodySchema, '*/*': Type.String() },
      answerTypes,
      response: { 200: Type.Object({}, { description: 'Empty object.' }) },
      description: `${body} The body is JSON of at most 16 KiB; refusals have no body.`,
      params: AccountParams,
    },
    onRequest: async (request: FastifyRequest) => deviceGuard.enter(request.ip, clock.now()),
  })
  const answerReport = async (request: DeviceRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await accountOf(request.params)
    count(parseJsonBody(request))
    return answerStored(reply)
  }
  app.register(async (scope: HttpApp) => {
    registerCommonHooks(scope)
    for (const path of ['subscriptions', 'telemetry'])
      scope.options(
        `${DEVICE_API_PATH}/${path}`,
        { config: { public: true, audit: AUDIT_EXEMPTIONS.recipient }, schema: { hide: true } },
        (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send(),
      )
    scope.put(
      `${DEVICE_API_PATH}/subscriptions`,
      options('putDeviceSubscription', 'Register a device', DeviceSubscriptionBody, DETACH_DESCRIPTION),
      async (request, reply) => {
        const account = await accountOf(request.params)
        const subscriptionPut = parseSubscriptionPut(parseJsonBody(request), {
          isDevice: true,
          pushHosts: config.pushHosts,
        })
        deviceGuard.put(`${account} ${subscriptionPut.id}`, clock.now())
        await deviceWriter.put(account, subscriptionPut)
        return answerStored(reply)
      },
    )
    scope.put(
      `${DEVICE_API_PATH}/telemetry`,
      options('putDeviceTelemetry', 'Report app telemetry', DeviceTelemetryBody, TELEMETRY_DESCRIPTION),
      answerReport,
    )
    scope.post(
      `${DEVICE_API_PATH}/telemetry`,
      options('postDeviceTelemetry', 'Report app telemetry by POST', DeviceTelemetryBody, TELEMETRY_DESCRIPTION),
      answerReport,
    )
  })
}
