import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { BODY_LIMIT_BYTES } from '../middleware/parsing.ts'
import { assertJsonDepth } from '../validation/json.ts'

const MAX_OPERATIONS = 100
const OPERATION_NAMES = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const
const FROM_OPERATIONS: readonly string[] = ['move', 'copy']
const VALUE_OPERATIONS: readonly string[] = ['add', 'replace', 'test']

interface PatchOperation {
  op: (typeof OPERATION_NAMES)[number]
  path: string[]
  from: string[]
  value: unknown
}

/** Why an operation is invalid, or cannot be applied. */
class PatchError extends Error {}
class TestError extends Error {}

/** The tokens of a pointer (RFC 6901). Throws PatchFault for an invalid one, and for one that reaches prototypes. */
function parsePointer(rawPointer: unknown, member: string): string[] {
  if (typeof rawPointer !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)*$/.test(rawPointer))
    throw new PatchError(`"${member}" must be a JSON pointer (RFC 6901)`)
  const tokens = rawPointer.split('/').slice(1)
  const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  const unsafeName = names.find((name) => name === '__proto__' || name === 'constructor')
  if (unsafeName !== undefined) throw new PatchError(`"${member}" goes through "${unsafeName}", which is not accepted`)
  return names
}

function parseOperation(rawOperation: unknown): PatchOperation {
  const op = isJsonObject(rawOperation) ? OPERATION_NAMES.find((name) => name === rawOperation['op']) : undefined
  if (!isJsonObject(rawOperation) || op === undefined)
    throw new PatchError(`"op" must be one of ${OPERATION_NAMES.join(', ')}`)
  if (VALUE_OPERATIONS.includes(op) && !Object.hasOwn(rawOperation, 'value'))
    throw new PatchError('"value" is required')
  const path = parsePointer(rawOperation['path'], 'path')
  const from = FROM_OPERATIONS.includes(op) ? parsePointer(rawOperation['from'], 'from') : []
  if (op === 'move' && from.length < path.length && from.every((name, at) => name === path[at]))
    throw new PatchError('"from" cannot be moved into itself')
  return { op, path, from, value: rawOperation['value'] }
}

const createMissingError = (): PatchError => new PatchError('its path does not exist')

/** The index of an item; `length` for the end. Throws PatchFault for an index outside the array. */
function parseArrayIndex(list: readonly unknown[], token: string, max: number): number {
  const index = token === '-' ? list.length : /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : Infinity
  if (index > max) throw createMissingError()
  return index
}

function getValueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const token of path) {
    if (Array.isArray(value)) value = value[parseArrayIndex(value, token, value.length - 1)]
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token]
    else throw createMissingError()
  }
  return value
}

/** The document with a value added at a path; items after it are shifted. */
function addValue(root: unknown, path: readonly string[], value: unknown): unknown {
  const token = path.at(-1)
  if (token === undefined) return value
  const parent = getValueAt(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(parseArrayIndex(parent, token, parent.length), 0, value)
  else if (isJsonObject(parent)) parent[token] = value
  else throw createMissingError()
  return root
}

function replaceValue(root: unknown, path: readonly string[], value: unknown): unknown {
  getValueAt(root, path)
  const token = path.at(-1)
  if (token === undefined) return value
  const parent = getValueAt(root, path.slice(0, -1)) as Record<string, unknown>
  parent[token] = value
  return root
}

function removeValue(root: unknown, path: readonly string[]): unknown {
  getValueAt(root, path)
  const token = path.at(-1)
  if (token === undefined) return null
  const parent = getValueAt(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(Number(token), 1)
  else delete (parent as Record<string, unknown>)[token]
  return root
}

/** Counts the size of the patched document. Throws PatchFault beyond the size of a body, 400 beyond its depth. */
function createSizeLimit(root: unknown): (added: unknown) => void {
  let totalLength = 0
  const countAdded = (added: unknown): void => {
    assertJsonDepth(added)
    totalLength += JSON.stringify(added).length
    if (totalLength > BODY_LIMIT_BYTES)
      throw new PatchError(`the document would be larger than ${BODY_LIMIT_BYTES} characters`)
  }
  countAdded(root)
  return countAdded
}

function applyOperation(
  root: unknown,
  { op, path, from, value }: PatchOperation,
  grow: (added: unknown) => void,
): unknown {
  switch (op) {
    case 'add':
      return addValue(root, path, structuredClone(value))
    case 'remove':
      return removeValue(root, path)
    case 'replace':
      return replaceValue(root, path, structuredClone(value))
    case 'move': {
      const movedValue = getValueAt(root, from)
      return addValue(removeValue(root, from), path, movedValue)
    }
    case 'copy': {
      const copiedValue = getValueAt(root, from)
      grow(copiedValue)
      return addValue(root, path, structuredClone(copiedValue))
    }
    case 'test':
      if (!isDeepStrictEqual(getValueAt(root, path), value)) throw new TestError('the value at its path is different')
      return root
  }
}

/**
 * A document after the operations of a JSON Patch (RFC 6902): all of them or none; the document itself stays as it is.
 * At most 100 operations, and what they make at most as large as a body. Throws 400 `invalid-patch`, and 409
 * `patch-test-failed` for a test that fails.
 */
export function applyJsonPatch(target: unknown, body: unknown): unknown {
  const createPatchProblem = (detail: string, problemOptions = {}): Problem =>
    new Problem(400, 'invalid-patch', detail, problemOptions)
  if (!Array.isArray(body)) throw createPatchProblem('A JSON Patch must be an array of operations (RFC 6902).')
  if (body.length > MAX_OPERATIONS)
    throw createPatchProblem(`A JSON Patch can have at most ${MAX_OPERATIONS} operations.`)
  let patchedDocument = structuredClone(target)
  let index = 0
  try {
    const operations = body.map((rawItem, at) => {
      index = at
      return parseOperation(rawItem)
    })
    const countGrowth = createSizeLimit([patchedDocument, body])
    for (index = 0; index < operations.length; index++)
      patchedDocument = applyOperation(patchedDocument, operations[index]!, countGrowth)
  } catch (error) {
    if (!(error instanceof PatchError || error instanceof TestError)) throw error
    const problemOptions = { errors: [{ pointer: `/${index}`, detail: error.message }] }
    const detail = `Operation ${index} cannot be applied: ${error.message}.`
    throw error instanceof TestError
      ? new Problem(409, 'patch-test-failed', detail, problemOptions)
      : createPatchProblem(detail, problemOptions)
  }
  assertJsonDepth(patchedDocument)
  return patchedDocument
}
