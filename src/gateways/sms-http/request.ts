import { splitSmsText } from '../../lib/text/sms.ts'
import type { OutgoingSms } from '../gateway.ts'
import type { SmsHttpRequest } from './exchange.ts'
import { getSmsHttpContentType, type SmsHttpSecrets, type SmsHttpSettings } from './settings.ts'
import {
  escapeHeader,
  escapeUrl,
  fillSmsHttpTemplate,
  findContentTypeEscape,
  parseSmsHttpTemplate,
  type SmsHttpTemplate,
  type SmsHttpTemplateValues,
} from './template.ts'

/** The templates of a gateway, read once. */
export interface SmsHttpRequestForm {
  settings: SmsHttpSettings
  secrets: SmsHttpSecrets
  url: SmsHttpTemplate
  headers: readonly (readonly [name: string, SmsHttpTemplate])[]
  body: SmsHttpTemplate | undefined
  escapeBody: (value: string) => string
}

export function createSmsHttpRequestForm(settings: SmsHttpSettings, secrets: SmsHttpSecrets): SmsHttpRequestForm {
  const { url, headers, body } = settings
  const { username, password } = secrets
  const headerNames = Object.keys(headers).map((name) => name.toLowerCase())
  const basicAuthorization =
    username === undefined || headerNames.includes('authorization')
      ? {}
      : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  return {
    settings,
    secrets,
    url: parseSmsHttpTemplate(url),
    headers: Object.entries({ ...basicAuthorization, ...headers }).map(
      ([name, text]) => [name, parseSmsHttpTemplate(text)] as const,
    ),
    body: body === undefined ? undefined : parseSmsHttpTemplate(body),
    escapeBody: findContentTypeEscape(getSmsHttpContentType(settings) ?? '') ?? escapeUrl,
  }
}

function buildPlaceholderValues(
  { id, to, from, text, encoding }: OutgoingSms,
  settings: SmsHttpSettings,
): SmsHttpTemplateValues {
  const formatNumber = (number: string) => (settings.numbers === 'digits' ? number.replace(/^\+/, '') : number)
  return {
    to: formatNumber(to),
    from: formatNumber(from),
    text,
    reference: String(id),
    encoding: settings.encodings[encoding],
    segments: String(splitSmsText(text, encoding).length),
  }
}

/** The request that is a message. */
export function buildSmsHttpRequest(sms: OutgoingSms, form: SmsHttpRequestForm): SmsHttpRequest {
  const { settings, secrets, url, headers, body, escapeBody } = form
  const values = buildPlaceholderValues(sms, settings)
  const filledBody = body && fillSmsHttpTemplate(body, values, secrets, escapeBody)
  const filledHeaders = Object.fromEntries(
    headers.map(([name, text]) => [name, fillSmsHttpTemplate(text, values, secrets, escapeHeader)]),
  )
  const lengthHeader: Record<string, string> =
    filledBody === undefined ? {} : { 'content-length': String(Buffer.byteLength(filledBody)) }
  return {
    method: settings.method,
    url: fillSmsHttpTemplate(url, values, secrets, escapeUrl),
    headers: { ...filledHeaders, ...lengthHeader },
    body: filledBody,
  }
}
