import type { FastifyRequest } from 'fastify'
import { isObject } from '../lib/objects.ts'
import { jsonPatch } from './json-patch.ts'
import { mediaType } from './parsing.ts'

/** A document after a merge patch (RFC 7396): null takes a member away, objects merge, all else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = mergePatch(result[name], value)
  }
  return result
}

/** The document after a PATCH; by media type and form, an array is a JSON Patch and an object a merge patch. */
export function patched(request: FastifyRequest, target: unknown): unknown {
  const isOperations =
    mediaType(request.headers['content-type']) === 'application/json-patch+json' || Array.isArray(request.body)
  return isOperations ? jsonPatch(target, request.body) : mergePatch(target, request.body ?? {})
}
