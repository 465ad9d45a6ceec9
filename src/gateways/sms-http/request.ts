import { splitSms } from '../../lib/text/sms.ts'
import type { OutgoingSms } from '../gateway.ts'
import type { HttpRequest } from './exchange.ts'
import { contentTypeOf, type SmsHttpSecrets, type SmsHttpSettings } from './settings.ts'
import { escapeFor, escapeHeader, escapeUrl, fill, parseTemplate, type Template, type Values } from './template.ts'

/** The templates of a gateway, read once. */
export interface RequestForm {
  settings: SmsHttpSettings
  secrets: SmsHttpSecrets
  url: Template
  headers: readonly (readonly [name: string, Template])[]
  body: Template | undefined
  escapeBody: (value: string) => string
}

export function requestForm(settings: SmsHttpSettings, secrets: SmsHttpSecrets): RequestForm {
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
    url: parseTemplate(url),
    headers: Object.entries({ ...basic, ...headers }).map(([name, text]) => [name, parseTemplate(text)] as const),
    body: body === undefined ? undefined : parseTemplate(body),
    escapeBody: escapeFor(contentTypeOf(settings) ?? '') ?? escapeUrl,
  }
}

function valuesOf({ id, to, from, text, encoding }: OutgoingSms, settings: SmsHttpSettings): Values {
  const numberOf = (number: string) => (settings.numbers === 'digits' ? number.replace(/^\+/, '') : number)
  return {
    to: numberOf(to),
    from: numberOf(from),
    text,
    reference: String(id),
    encoding: settings.encodings[encoding],
    segments: String(splitSms(text, encoding).length),
  }
}

/** The request that is a message. */
export function requestOf(sms: OutgoingSms, form: RequestForm): HttpRequest {
  const { settings, secrets, url, headers, body, escapeBody } = form
  const values = valuesOf(sms, settings)
  const filled = body && fill(body, values, secrets, escapeBody)
  const given = Object.fromEntries(headers.map(([name, text]) => [name, fill(text, values, secrets, escapeHeader)]))
  const length: Record<string, string> =
    filled === undefined ? {} : { 'content-length': String(Buffer.byteLength(filled)) }
  return {
    method: settings.method,
    url: fill(url, values, secrets, escapeUrl),
    headers: { ...given, ...length },
    body: filled,
  }
}
