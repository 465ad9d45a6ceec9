import type { FastifyRequest } from 'fastify'
import { applyPatch, type Operation } from 'rfc6902'
import { isObject } from '../lib/objects.ts'
import { Problem } from '../lib/problem.ts'
import { mediaType } from './parsing.ts'

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test']

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

function readOperations(body: unknown): Operation[] {
  if (!Array.isArray(body))
    throw new Problem(400, 'invalid-patch', 'A JSON Patch is an array of operations (RFC 6902).')
  for (const [index, operation] of body.entries()) {
    if (
      !isObject(operation) ||
      typeof operation['path'] !== 'string' ||
      !OPERATIONS.includes(String(operation['op']))
    ) {
      throw new Problem(400, 'invalid-patch', `Operation ${index} needs "op" (${OPERATIONS.join(', ')}) and "path".`, {
        errors: [{ pointer: `/${index}`, detail: 'is not an operation of RFC 6902' }],
      })
    }
  }
  return body as Operation[]
}

/** A document after the operations of a JSON Patch (RFC 6902): all of them or none. Throws 400, and 409 for a failed test. */
export function jsonPatch(target: unknown, body: unknown): unknown {
  const operations = readOperations(body)
  const copy = structuredClone(target)
  for (const [index, failure] of applyPatch(copy, operations).entries()) {
    if (failure === null) continue
    const isTest = failure.name === 'TestError'
    throw new Problem(
      isTest ? 409 : 400,
      isTest ? 'patch-test-failed' : 'invalid-patch',
      `Operation ${index} cannot be applied: ${failure.message}`,
      {
        errors: [{ pointer: `/${index}`, detail: failure.message }],
      },
    )
  }
  return copy
}

/** The document that a PATCH asks for, told apart by media type and by form: an array is a JSON Patch, an object a merge. */
export function patched(request: FastifyRequest, target: unknown): unknown {
  const isOperations =
    mediaType(request.headers['content-type']) === 'application/json-patch+json' || Array.isArray(request.body)
  return isOperations ? jsonPatch(target, request.body) : mergePatch(target, request.body ?? {})
}
