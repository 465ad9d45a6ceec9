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
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const basic =
    username === undefined || names.includes('authorization')
      ? {}
      : { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
  return {
    settings,
    secrets,
    url: parseSmsHttpTemplate(url),
    headers: Object.entries({ ...basic, ...headers }).map(
      ([name, text]) => [name, parseSmsHttpTemplate(text)] as const,
    ),
    body: body === undefined ? undefined : parseSmsHttpTemplate(body),
    escapeBody: findContentTypeEscape(getSmsHttpContentType(settings) ?? '') ?? escapeUrl,
  }
}

function valuesOf({ id, to, from, text, encoding }: OutgoingSms, settings: SmsHttpSettings): SmsHttpTemplateValues {
  const numberOf = (number: string) => (settings.numbers === 'digits' ? number.replace(/^\+/, '') : number)
  return {
    to: numberOf(to),
    from: numberOf(from),
    text,
    reference: String(id),
    encoding: settings.encodings[encoding],
    segments: String(splitSmsText(text, encoding).length),
  }
}

/** The request that is a message. */
export function buildSmsHttpRequest(sms: OutgoingSms, form: SmsHttpRequestForm): SmsHttpRequest {
  const { settings, secrets, url, headers, body, escapeBody } = form
  const values = valuesOf(sms, settings)
  const filled = body && fillSmsHttpTemplate(body, values, secrets, escapeBody)
  const given = Object.fromEntries(
    headers.map(([name, text]) => [name, fillSmsHttpTemplate(text, values, secrets, escapeHeader)]),
  )
  const length: Record<string, string> =
    filled === undefined ? {} : { 'content-length': String(Buffer.byteLength(filled)) }
  return {
    method: settings.method,
    url: fillSmsHttpTemplate(url, values, secrets, escapeUrl),
    headers: { ...given, ...length },
    body: filled,
  }
}
