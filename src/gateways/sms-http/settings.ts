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
    accepted: buildCodesSchema('Values of `error` that are none. Empty: a message is taken when there is no error.'),
    deferred: buildCodesSchema('Values of `error` after which a message is tried again.'),
    invalidNumber: buildCodesSchema('Values of `error` that say the number does not exist.'),
    sender: buildCodesSchema('Values of `error` that say our sender is refused.'),
    settings: buildCodesSchema('Values of `error` that say our credentials or settings are refused.'),
    deferredStatuses: buildStatusesSchema(
      [429, 503],
      'HTTP status codes that say nothing was taken, and to come again.',
    ),
    downStatuses: buildStatusesSchema(
      [401, 402, 403, 404, 405, 407],
      'HTTP status codes that say the same to every message.',
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
    list: Type.Optional(Type.String({ pattern: '^/', description: 'Where the array of items is, when there is one.' })),
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
    method: Type.Enum(['GET', 'POST', 'PUT'], { default: 'POST' }),
    url: Type.String({ minLength: 1, maxLength: 4000 }),
    headers: Type.Record(Type.String(), Type.String({ maxLength: 2000, pattern: '^[\\x20-\\x7e]*$' }), {
      default: {},
      propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" },
    }),
    body: Type.Optional(Type.String({ maxLength: 20_000 })),
    numbers: Type.Enum(['plus', 'digits'], { default: 'plus', description: 'How international numbers are written.' }),
    encodings: Type.Object(
      { gsm7: Type.String({ default: 'gsm7' }), ucs2: Type.String({ default: 'ucs2' }) },
      { additionalProperties: false, default: {}, description: 'What {{encoding}} says.' },
    ),
    answer: AnswerSettings,
    hook: HookSettings,
    ...tlsSettings,
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 200,
      default: 8,
      description: 'Requests at once, a sender thread.',
    }),
    connectMs: MillisecondsSetting(10_000, 'For the connection and the TLS handshake together.'),
    answerMs: MillisecondsSetting(60_000, 'For the answer.'),
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
    throw badRequestProblem('/url', 'must hold no credentials; they are secrets `username` and `password`')
  if (firstUrl.origin !== secondUrl?.origin) throw badRequestProblem('/url', 'must have no placeholder in its host')
}

function assertBody({ method, body, headers }: SmsHttpSettings): void {
  if (method === 'GET' && body !== undefined) throw badRequestProblem('/body', 'GET has none; use POST')
  if (body === undefined) return
  const contentType = getSmsHttpContentType({ headers })
  if (contentType === undefined) throw badRequestProblem('/headers', 'must hold the content-type of the body')
  if (findContentTypeEscape(contentType) === undefined)
    throw badRequestProblem(
      '/headers/content-type',
      'must be JSON, a form, XML or text/plain: values are escaped by it',
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
  if (framingHeader !== undefined)
    throw badRequestProblem(`/headers/${framingHeader}`, 'is written by the program itself')
  if ('username' in secrets !== 'password' in secrets)
    throw badRequestProblem('/secrets', 'username and password go together')
  const { reference, error, diagnostic } = settings.answer
  for (const [name, selector] of Object.entries({ reference, error, diagnostic }))
    assertPattern(`/answer/${name}`, selector)
  return { settings, secrets }
}
