import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { BODY_LIMIT_BYTES } from '../middleware/parsing.ts'
import { assertJsonDepth } from '../validation/json.ts'

const MAX_OPERATIONS = 100
const NAMES = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const
const WITH_FROM: readonly string[] = ['move', 'copy']
const WITH_VALUE: readonly string[] = ['add', 'replace', 'test']

interface Operation {
  op: (typeof NAMES)[number]
  path: string[]
  from: string[]
  value: unknown
}

/** Why an operation is invalid, or cannot be applied. */
class PatchFault extends Error {}
class TestFault extends Error {}

/** The tokens of a pointer (RFC 6901). Throws PatchFault for an invalid one, and for one that reaches prototypes. */
function readPointer(given: unknown, member: string): string[] {
  if (typeof given !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)*$/.test(given))
    throw new PatchFault(`"${member}" must be a JSON pointer (RFC 6901)`)
  const tokens = given.split('/').slice(1)
  const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  const hostile = names.find((name) => name === '__proto__' || name === 'constructor')
  if (hostile !== undefined) throw new PatchFault(`"${member}" goes through "${hostile}", which is not accepted`)
  return names
}

function readOperation(given: unknown): Operation {
  const op = isJsonObject(given) ? NAMES.find((name) => name === given['op']) : undefined
  if (!isJsonObject(given) || op === undefined) throw new PatchFault(`"op" must be one of ${NAMES.join(', ')}`)
  if (WITH_VALUE.includes(op) && !Object.hasOwn(given, 'value')) throw new PatchFault('"value" is required')
  const path = readPointer(given['path'], 'path')
  const from = WITH_FROM.includes(op) ? readPointer(given['from'], 'from') : []
  if (op === 'move' && from.length < path.length && from.every((name, at) => name === path[at]))
    throw new PatchFault('"from" cannot be moved into itself')
  return { op, path, from, value: given['value'] }
}

const missing = (): PatchFault => new PatchFault('there is nothing at its path')

/** The index of an item; `length` for the end. Throws PatchFault for an index outside the array. */
function indexOf(list: readonly unknown[], token: string, max: number): number {
  const index = token === '-' ? list.length : /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : Infinity
  if (index > max) throw missing()
  return index
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const token of path) {
    if (Array.isArray(value)) value = value[indexOf(value, token, value.length - 1)]
    else if (isJsonObject(value) && Object.hasOwn(value, token)) value = value[token]
    else throw missing()
  }
  return value
}

/** The document with a value added at a path; items after it are shifted. */
function put(root: unknown, path: readonly string[], value: unknown): unknown {
  const token = path.at(-1)
  if (token === undefined) return value
  const parent = valueAt(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(indexOf(parent, token, parent.length), 0, value)
  else if (isJsonObject(parent)) parent[token] = value
  else throw missing()
  return root
}

function replace(root: unknown, path: readonly string[], value: unknown): unknown {
  valueAt(root, path)
  const token = path.at(-1)
  if (token === undefined) return value
  const parent = valueAt(root, path.slice(0, -1)) as Record<string, unknown>
  parent[token] = value
  return root
}

function remove(root: unknown, path: readonly string[]): unknown {
  valueAt(root, path)
  const token = path.at(-1)
  if (token === undefined) return null
  const parent = valueAt(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(Number(token), 1)
  else delete (parent as Record<string, unknown>)[token]
  return root
}

/** Counts the size of the patched document. Throws PatchFault beyond the size of a body, 400 beyond its depth. */
function sizeLimit(root: unknown): (added: unknown) => void {
  let size = 0
  const add = (added: unknown): void => {
    assertJsonDepth(added)
    size += JSON.stringify(added).length
    if (size > BODY_LIMIT_BYTES) throw new PatchFault(`the document becomes larger than ${BODY_LIMIT_BYTES} characters`)
  }
  add(root)
  return add
}

function apply(root: unknown, { op, path, from, value }: Operation, grow: (added: unknown) => void): unknown {
  switch (op) {
    case 'add':
      return put(root, path, structuredClone(value))
    case 'remove':
      return remove(root, path)
    case 'replace':
      return replace(root, path, structuredClone(value))
    case 'move': {
      const moved = valueAt(root, from)
      return put(remove(root, from), path, moved)
    }
    case 'copy': {
      const copied = valueAt(root, from)
      grow(copied)
      return put(root, path, structuredClone(copied))
    }
    case 'test':
      if (!isDeepStrictEqual(valueAt(root, path), value)) throw new TestFault('the value at its path is another')
      return root
  }
}

/**
 * A document after the operations of a JSON Patch (RFC 6902): all of them or none; the document itself stays as it is.
 * At most 100 operations, and what they make at most as large as a body. Throws 400 `invalid-patch`, and 409
 * `patch-test-failed` for a test that fails.
 */
export function applyJsonPatch(target: unknown, body: unknown): unknown {
  const refuse = (detail: string, more = {}): Problem => new Problem(400, 'invalid-patch', detail, more)
  if (!Array.isArray(body)) throw refuse('A JSON Patch is an array of operations (RFC 6902).')
  if (body.length > MAX_OPERATIONS) throw refuse(`A JSON Patch has at most ${MAX_OPERATIONS} operations.`)
  let root = structuredClone(target)
  let index = 0
  try {
    const operations = body.map((given, at) => {
      index = at
      return readOperation(given)
    })
    const grow = sizeLimit([root, body])
    for (index = 0; index < operations.length; index++) root = apply(root, operations[index]!, grow)
  } catch (error) {
    if (!(error instanceof PatchFault || error instanceof TestFault)) throw error
    const more = { errors: [{ pointer: `/${index}`, detail: error.message }] }
    const detail = `Operation ${index} cannot be applied: ${error.message}.`
    throw error instanceof TestFault ? new Problem(409, 'patch-test-failed', detail, more) : refuse(detail, more)
  }
  assertJsonDepth(root)
  return root
}
