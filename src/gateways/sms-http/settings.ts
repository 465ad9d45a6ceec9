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

const Codes = (description: string) =>
  Type.Array(Type.String({ maxLength: 100 }), { default: [], maxItems: 200, description })

const Statuses = (fallback: number[], description: string) =>
  Type.Array(Type.Integer({ minimum: 200, maximum: 599 }), { default: fallback, description })

const Answer = Type.Object(
  {
    reference: Type.Optional(SmsHttpSelector),
    error: Type.Optional(SmsHttpSelector),
    diagnostic: Type.Optional(SmsHttpSelector),
    accepted: Codes('Values of `error` that are none. Empty: a message is taken when there is no error.'),
    deferred: Codes('Values of `error` after which a message is tried again.'),
    invalidNumber: Codes('Values of `error` that say the number does not exist.'),
    sender: Codes('Values of `error` that say our sender is refused.'),
    settings: Codes('Values of `error` that say our credentials or settings are refused.'),
    deferredStatuses: Statuses([429, 503], 'HTTP status codes that say nothing was taken, and to come again.'),
    downStatuses: Statuses([401, 402, 403, 404, 405, 407], 'HTTP status codes that say the same to every message.'),
  },
  { additionalProperties: false, default: {} },
)

/** Names of the members of a callback, as pointers (`/message/id`) or, without a slash, as names. */
const hookMembers = ['type', 'id', 'status', 'error', 'from', 'to', 'text', 'time'] as const

const SmsCallbackStatus = Type.Enum(['delivered', 'failed', 'expired', 'rejected', 'unknown', 'pending'])
export type SmsCallbackStatus = Static<typeof SmsCallbackStatus>

const Hook = Type.Object(
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

/** How an SMS is sent to an HTTP provider, and what its answers and callbacks mean. Nothing in it is secret. */
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
    answer: Answer,
    hook: Hook,
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

const FRAMING = ['host', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade']

export function getSmsHttpContentType({ headers }: Pick<SmsHttpSettings, 'headers'>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
}

function checkUrl(url: string): void {
  const [one, other] = ['a', 'b'].map((value) => URL.parse(fillAllPlaceholders(url, value)))
  if (!one || !/^https?:$/.test(one.protocol)) throw badRequestProblem('/url', 'must be an http or https address')
  if (one.username !== '')
    throw badRequestProblem('/url', 'must hold no credentials; they are secrets `username` and `password`')
  if (one.origin !== other?.origin) throw badRequestProblem('/url', 'must have no placeholder in its host')
}

function checkBody({ method, body, headers }: SmsHttpSettings): void {
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

function checkPattern(pointer: string, selector: SmsHttpSelector | undefined): void {
  if (selector === undefined || !('pattern' in selector)) return
  try {
    compileLinearPattern(selector.pattern)
  } catch (error) {
    throw badRequestProblem(`${pointer}/pattern`, error instanceof Error ? error.message : String(error))
  }
}

function checkTemplates({ url, headers, body }: SmsHttpSettings, secrets: readonly string[]): void {
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
  stored: unknown,
  storedSecrets: unknown,
): { settings: SmsHttpSettings; secrets: SmsHttpSecrets } {
  const settings = readGatewaySettings(SmsHttpSettings, stored)
  const secrets = readGatewaySecrets(SmsHttpSecrets, storedSecrets) ?? {}
  checkUrl(settings.url)
  checkBody(settings)
  checkTemplates(settings, Object.keys(secrets))
  const framing = Object.keys(settings.headers).find((name) => FRAMING.includes(name.toLowerCase()))
  if (framing !== undefined) throw badRequestProblem(`/headers/${framing}`, 'is written by the program itself')
  if ('username' in secrets !== 'password' in secrets)
    throw badRequestProblem('/secrets', 'username and password go together')
  const { reference, error, diagnostic } = settings.answer
  for (const [name, selector] of Object.entries({ reference, error, diagnostic }))
    checkPattern(`/answer/${name}`, selector)
  return { settings, secrets }
}
