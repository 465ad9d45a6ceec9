import { findNearestWord } from '../../lib/text/nearest.ts'

/** Valid placeholders, in addition to `secret.NAME`. */
export const smsHttpPlaceholders = ['to', 'from', 'text', 'reference', 'encoding', 'segments'] as const

export type SmsHttpTemplateValues = Readonly<Record<(typeof smsHttpPlaceholders)[number], string>>

/** Literal text and names of placeholders in turn: the odd ones are names. */
export type SmsHttpTemplate = readonly string[]

const SECRET_PLACEHOLDER = /^secret\.([A-Za-z][A-Za-z0-9_]*)$/

/** Cuts `{{name}}` out of a text. Blanks around the name do not count. */
export function parseSmsHttpTemplate(text: string): SmsHttpTemplate {
  return text.split(/\{\{([^{}]*)\}\}/).map((piece, index) => (index % 2 === 1 ? piece.trim() : piece))
}

/** The fault of the first name in a template that is neither a placeholder nor one of `secrets`. */
export function findSmsHttpTemplateFault(template: SmsHttpTemplate, secrets: readonly string[]): string | undefined {
  const knownPlaceholders = [...smsHttpPlaceholders, ...secrets.map((name) => `secret.${name}`)]
  const unknownPlaceholders = template.filter((name, index) => index % 2 === 1 && !knownPlaceholders.includes(name))[0]
  if (unknownPlaceholders === undefined) return undefined
  return `{{${unknownPlaceholders}}} is not known; did you mean {{${findNearestWord(unknownPlaceholders, knownPlaceholders)}}}? Known: ${knownPlaceholders.join(', ')}`
}

/** Fills a template; every value, not the text around it, goes through `encode`. Missing values are empty. */
export function fillSmsHttpTemplate(
  template: SmsHttpTemplate,
  values: SmsHttpTemplateValues,
  secrets: Readonly<Record<string, string>>,
  encode: (value: string) => string,
): string {
  const resolvePlaceholder = (name: string): string => {
    const secret = SECRET_PLACEHOLDER.exec(name)?.[1]
    return (secret === undefined ? values[name as keyof SmsHttpTemplateValues] : secrets[secret]) ?? ''
  }
  return template.map((piece, index) => (index % 2 === 0 ? piece : encode(resolvePlaceholder(piece)))).join('')
}

/** A text with one value, as it is, in place of every placeholder; by default without them. */
export function fillAllPlaceholders(text: string, value = ''): string {
  return parseSmsHttpTemplate(text)
    .map((piece, index) => (index % 2 === 0 ? piece : value))
    .join('')
}

/** For a value within a JSON string. */
export const escapeJson = (value: string): string => JSON.stringify(value.toWellFormed()).slice(1, -1)

/** For a part of an address or of a form (RFC 3986, 2.1). */
export const escapeUrl = (value: string): string => encodeURIComponent(value.toWellFormed())

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** For text or an attribute's value in XML 1.0, which has no control characters but tab and line ends. */
export const escapeXml = (value: string): string =>
  value
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? '')

/** For a header's value: what could end the line, or is not ASCII, is a question mark. */
export const escapeHeader = (value: string): string => value.replace(/[^\x20-\x7e]/g, '?')

const returnUnescaped = (value: string): string => value

/** Escape functions for values in a body, by its media type. */
const BODY_ESCAPES: readonly [RegExp, (value: string) => string][] = [
  [/^application\/(?:json|[\w.-]+\+json)$/, escapeJson],
  [/^application\/x-www-form-urlencoded$/, escapeUrl],
  [/^(?:application|text)\/(?:xml|[\w.-]+\+xml)$/, escapeXml],
  [/^text\/plain$/, returnUnescaped],
]

/** Finds the escape function for values in a body of this content type; `undefined` if the type is unknown. */
export function findContentTypeEscape(contentType: string): ((value: string) => string) | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  return BODY_ESCAPES.find(([pattern]) => pattern.test(type))?.[1]
}
