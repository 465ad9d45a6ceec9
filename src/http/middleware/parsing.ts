import type { FastifyRequest } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'
import type { HttpApp } from '../app-type.ts'
import { parseRequestJson } from '../validation/json.ts'

const JSON_TYPES = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  // Sent by browsers and old clients with bodies that are JSON.
  'text/json',
]

/** Size of a body where an operation does not say otherwise; executions and renders take more. */
export const BODY_LIMIT_BYTES = 10 * 1024 * 1024
export const LARGE_BODY_LIMIT_BYTES = 32 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body. Throws 400 for what is no UTF-8. */
export function decodeBodyText(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Problem(400, 'malformed-body', 'The body is not UTF-8.')
  }
}

/** JSON of any of its media types; an empty body is no body, whatever its type. */
async function parseJsonBody(_request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined
  const text = decodeBodyText(body)
  return text.trim() === '' ? undefined : parseRequestJson(text)
}

/** Registers the JSON parsers; vendor types are read as JSON, and only where a route's `accepts` names them. */
export function registerBodyParsers(app: HttpApp): void {
  app.removeAllContentTypeParsers()
  for (const type of JSON_TYPES) app.addContentTypeParser(type, { parseAs: 'buffer' }, parseJsonBody)
  app.addContentTypeParser(/^application\/vnd\./, { parseAs: 'buffer' }, parseJsonBody)
  // A body without a type is refused below unless it is empty, as is one of another type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    throw createMediaTypeProblem(request)
  })
  app.addHook('preValidation', async (request) => {
    const type = parseBareMediaType(request.headers['content-type'])
    if (request.body === undefined || request.body === null || JSON_TYPES.includes(type)) return
    if (request.routeOptions.config.accepts?.includes(type)) return
    if (type.startsWith('application/vnd.')) throw createMediaTypeProblem(request)
  })
}

function createMediaTypeProblem(request: FastifyRequest): Problem {
  const acceptedTypes = ['application/json', ...(request.routeOptions.config.accepts ?? [])]
  return new Problem(415, 'unsupported-media-type', `Content-Type must be one of ${acceptedTypes.join(', ')}.`)
}

/** The media type of a Content-Type header, lower case, without parameters. */
export function parseBareMediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]!.trim().toLowerCase()
}
