import { type Static, Type } from 'typebox'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { compileLinearPattern } from '../../lib/text/linear-pattern.ts'
import { MillisecondsSetting, readGatewaySecrets, readGatewaySettings, tlsSettings } from '../settings.ts'
import {
  fillAllPlaceholders,
  findContentTypeEscape,
  findSmsHttpTemplateFault,
  parseSmsHttpTemplate,
} from './template.ts'

/** Selects a value of an answer: an RFC 6901 pointer into JSON, or a pattern whose first group it is. */
const SmsHttpSelector = Type.Union([
  Type.Object({ pointer: Type.String({ pattern: '^(?:/.*)?$', maxLength: 200 }) }, { additionalProperties: false }),
  Type.Object({ pattern: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
])
export type SmsHttpSelector = Static<typeof SmsHttpSelector>

const buildCodesSchema = (description: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { default: [], maxItems: 200, description })

const buildStatusesSchema = (fallback: number[], description: string) =>
  Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), { default: fallback, description })

const AnswerSettings = Type.Object(
  {
    reference: Type.Optional(SmsHttpSelector),
    error: Type.Optional(SmsHttpSelector),
    diagnostic: Type.Optional(SmsHttpSelector),
    accepted: buildCodesSchema(
      'Values of `error` that mean acceptance. Empty: a message without an error is accepted.',
    ),
    deferred: buildCodesSchema('Values of `error` after which a message is retried.'),
    invalidNumber: buildCodesSchema('Values of `error` for a number that does not exist.'),
    sender: buildCodesSchema('Values of `error` for a refused sender.'),
    settings: buildCodesSchema('Values of `error` for refused credentials or settings.'),
    deferredStatuses: buildStatusesSchema(
      [429, 503],
      'HTTP statuses after which a message is retried. Default: 429 and 503.',
    ),
    downStatuses: buildStatusesSchema(
      [401, 402, 403, 404, 405, 407],
      'HTTP statuses that refuse all messages, such as refused credentials. Default: 401, 402, 403, 404, 405 ' +
        'and 407.',
    ),
  },
  { additionalProperties: false, default: {} },
)

/** Names of the members of a callback, as pointers (`/message/id`) or, without a slash, as names. */
const hookMembers = ['type', 'id', 'status', 'error', 'from', 'to', 'text', 'time'] as const

const SmsCallbackStatus = Type.Enum(['delivered', 'failed', 'expired', 'rejected', 'unknown', 'pending'])
export type SmsCallbackStatus = Static<typeof SmsCallbackStatus>

const HookSettings = Type.Object(
  {
    list: Type.Optional(
      Type.String({ pattern: '^/', description: 'JSON Pointer to the array of items. Absent: the body is one item.' }),
    ),
    ...(Object.fromEntries(hookMembers.map((name) => [name, Type.String({ default: name, maxLength: 200 })])) as Record<
      (typeof hookMembers)[number],
      ReturnType<typeof Type.String>
    >),
    types: Type.Record(Type.String(), Type.Enum(['report', 'reply']), { default: {} }),
    statuses: Type.Record(Type.String(), SmsCallbackStatus, { default: {} }),
  },
  { additionalProperties: false, default: {} },
)

/** Settings for sending SMS to an HTTP provider, and for interpreting its answers and callbacks. None of them is secret. */
export const SmsHttpSettings = Type.Object(
  {
    method: Type.Enum(['GET', 'POST', 'PUT'], { default: 'POST', description: 'HTTP method. Default: `POST`.' }),
    url: Type.String({ minLength: 1, maxLength: 4000, description: 'Address of the provider, with placeholders.' }),
    headers: Type.Record(Type.String(), Type.String({ maxLength: 2000, pattern: '^[\\x20-\\x7e]*$' }), {
      default: {},
      description: 'Headers of the request by name, with placeholders.',
      propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" },
    }),
    body: Type.Optional(Type.String({ maxLength: 20_000, description: 'Body of the request, with placeholders.' })),
    numbers: Type.Enum(['plus', 'digits'], {
      default: 'plus',
      description:
        'Format of international numbers. `plus`: with a leading `+`. `digits`: digits only. Default: `plus`.',
    }),
    encodings: Type.Object(
      { gsm7: Type.String({ default: 'gsm7' }), ucs2: Type.String({ default: 'ucs2' }) },
      { additionalProperties: false, default: {}, description: 'Values of `{{encoding}}` for each alphabet.' },
    ),
    answer: AnswerSettings,
    hook: HookSettings,
    ...tlsSettings,
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 8,
      description: 'Maximum concurrent requests of a sender thread. Default: 8.',
    }),
    connectMs: MillisecondsSetting(
      10_000,
      'Milliseconds for the connection and the TLS handshake together; default 10000.',
    ),
    answerMs: MillisecondsSetting(60_000, 'Milliseconds for the response; default 60000.'),
  },
  { additionalProperties: false },
)
export type SmsHttpSettings = Static<typeof SmsHttpSettings>

/**
 * Kept sealed, apart from the settings: named texts for `{{secret.NAME}}`. `username` and `password` are sent as Basic
 * authentication (RFC 7617) unless a header says otherwise; `hookToken` ends the address of callbacks, and those are
 * signed when there is a `hookSecret`.
 */
export const SmsHttpSecrets = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 4096 }), {
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' },
})
export type SmsHttpSecrets = Static<typeof SmsHttpSecrets>

const FRAMING_HEADERS = ['host', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade']

export function getSmsHttpContentType({ headers }: Pick<SmsHttpSettings, 'headers'>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
}

function assertUrl(url: string): void {
  const [firstUrl, secondUrl] = ['a', 'b'].map((value) => URL.parse(fillAllPlaceholders(url, value)))
  if (!firstUrl || !/^https?:$/.test(firstUrl.protocol))
    throw badRequestProblem('/url', 'must be an http or https address')
  if (firstUrl.username !== '')
    throw badRequestProblem('/url', 'must not contain credentials; use the secrets `username` and `password`')
  if (firstUrl.origin !== secondUrl?.origin) throw badRequestProblem('/url', 'must not have a placeholder in its host')
}

function assertBody({ method, body, headers }: SmsHttpSettings): void {
  if (method === 'GET' && body !== undefined) throw badRequestProblem('/body', 'is not allowed with GET; use POST')
  if (body === undefined) return
  const contentType = getSmsHttpContentType({ headers })
  if (contentType === undefined) throw badRequestProblem('/headers', 'must contain the content-type of the body')
  if (findContentTypeEscape(contentType) === undefined)
    throw badRequestProblem(
      '/headers/content-type',
      'must be JSON, a form, XML or text/plain: it determines how values are escaped',
    )
}

function assertPattern(pointer: string, selector: SmsHttpSelector | undefined): void {
  if (selector === undefined || !('pattern' in selector)) return
  try {
    compileLinearPattern(selector.pattern)
  } catch (error) {
    throw badRequestProblem(`${pointer}/pattern`, error instanceof Error ? error.message : String(error))
  }
}

function assertTemplates({ url, headers, body }: SmsHttpSettings, secrets: readonly string[]): void {
  const templates = [
    { pointer: '/url', text: url },
    { pointer: '/body', text: body ?? '' },
    ...Object.entries(headers).map(([name, text]) => ({ pointer: `/headers/${name}`, text })),
  ]
  for (const { pointer, text } of templates) {
    const fault = findSmsHttpTemplateFault(parseSmsHttpTemplate(text), secrets)
    if (fault !== undefined) throw badRequestProblem(pointer, fault)
  }
}

/**
 * Settings and secrets as they are stored, with what is absent filled in. Throws invalid or badRequestProblem with a pointer;
 * no secret is ever repeated.
 */
export function readSmsHttpConfig(
  storedSettings: unknown,
  storedSecrets: unknown,
): { settings: SmsHttpSettings; secrets: SmsHttpSecrets } {
  const settings = readGatewaySettings(SmsHttpSettings, storedSettings)
  const secrets = readGatewaySecrets(SmsHttpSecrets, storedSecrets) ?? {}
  assertUrl(settings.url)
  assertBody(settings)
  assertTemplates(settings, Object.keys(secrets))
  const framingHeader = Object.keys(settings.headers).find((name) => FRAMING_HEADERS.includes(name.toLowerCase()))
  if (framingHeader !== undefined) throw badRequestProblem(`/headers/${framingHeader}`, 'is set by the service itself')
  if ('username' in secrets !== 'password' in secrets)
    throw badRequestProblem('/secrets', 'requires both username and password')
  const { reference, error, diagnostic } = settings.answer
  for (const [name, selector] of Object.entries({ reference, error, diagnostic }))
    assertPattern(`/answer/${name}`, selector)
  return { settings, secrets }
}
