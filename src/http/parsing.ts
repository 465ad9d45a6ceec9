import type { FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'
import type { App } from './app-type.ts'

const DEEPEST = 100
const JSON_TYPES = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  // Browsers and old clients that send JSON without saying so.
  'text/json',
]

/** Size of a body where an operation does not say otherwise; executions and renders take more. */
export const BODY_LIMIT = 10 * 1024 * 1024
export const LARGE_BODY_LIMIT = 32 * 1024 * 1024

function malformed(detail: string): Problem {
  return new Problem(400, 'malformed-body', detail)
}

/** Refuses what JSON allows and no operation needs: keys that reach prototypes, and endless nesting. */
function refuseHostile(root: unknown): void {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw malformed(`The body is nested deeper than ${DEEPEST} levels.`)
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const [key, member] of Object.entries(value)) {
        if (key === '__proto__' || key === 'constructor') throw malformed(`The key "${key}" is not accepted.`)
        if (typeof member === 'object' && member !== null) next.push(member)
      }
    }
    level = next
  }
}

/** Escapes that stand for NUL, or for half a surrogate pair unless its other half follows. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

/** Refuses texts that cannot be stored: those with NUL, or with half a surrogate pair. */
function refuseUnstorable(value: unknown): void {
  JSON.stringify(value, (key, member: unknown) => {
    for (const text of [key, member]) {
      if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed())) {
        throw malformed('A text holds NUL, or half a surrogate pair: neither can be stored.')
      }
    }
    return member
  })
}

/** Reads a JSON text as this interface does. Throws a Problem 400 that says where it stops being JSON. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    refuseHostile(value)
    if (SUSPECT.test(text)) refuseUnstorable(value)
    return value
  } catch (error) {
    if (error instanceof Problem) throw error
    throw malformed(
      `The body is not JSON: ${error instanceof Error ? error.message.replace(/[\r\n].*/s, '') : 'it cannot be read'}.`,
    )
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw malformed('The body is not UTF-8.')
  }
}

/** JSON of any of its media types; an empty body is no body, whatever its type says. */
async function parse(_request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined
  const text = decode(body)
  return text.trim() === '' ? undefined : readJson(text)
}

/** Registers the JSON parsers; vendor types are read as JSON, and only where a route's `accepts` names them. */
export function registerParsing(app: App): void {
  app.removeAllContentTypeParsers()
  for (const type of JSON_TYPES) app.addContentTypeParser(type, { parseAs: 'buffer' }, parse)
  app.addContentTypeParser(/^application\/vnd\./, { parseAs: 'buffer' }, parse)
  // A body without a type is refused below unless it is empty, as is one of another type.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    throw unsupported(request)
  })
  app.addHook('preValidation', async (request) => {
    const type = mediaType(request.headers['content-type'])
    if (request.body === undefined || request.body === null || JSON_TYPES.includes(type)) return
    if (request.routeOptions.config.accepts?.includes(type)) return
    if (type.startsWith('application/vnd.')) throw unsupported(request)
  })
}

function unsupported(request: FastifyRequest): Problem {
  const accepted = ['application/json', ...(request.routeOptions.config.accepts ?? [])]
  return new Problem(415, 'unsupported-media-type', `Content-Type must be one of ${accepted.join(', ')}.`)
}

/** The media type of a Content-Type header, lower case, without parameters. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]!.trim().toLowerCase()
}
