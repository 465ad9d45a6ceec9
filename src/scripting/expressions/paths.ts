import { isJsonObject } from '../../lib/objects.ts'

/** Steps of a path at most. */
const MAX_PATH_STEPS = 32

/** A path that does not parse, and where. `offset` from 0. */
export class PathSyntaxError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const NAME_PATTERN = /[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$-]*/uy
const MEMBER_PATTERN = /\.([\p{L}\p{Nl}\p{Nd}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$-]*)/uy
const INDEX_PATTERN = /\[\s*(\d{1,9})\s*\]/y
const QUOTED_PATTERN = /\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\]/y

function unquoteStep(text: string, offset: number): string {
  const inner = text.slice(1, -1)
  try {
    return text.startsWith('"')
      ? JSON.parse(text)
      : JSON.parse(`"${inner.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`)
  } catch {
    throw new PathSyntaxError('The name in brackets is not a string.', offset)
  }
}

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset
  return pattern.exec(text)
}

/** One step and where the next begins. */
function parseStepAt(text: string, offset: number): { step: string; next: number } {
  const member = matchAt(MEMBER_PATTERN, text, offset) ?? matchAt(INDEX_PATTERN, text, offset)
  if (member) return { step: member[1]!, next: offset + member[0].length }
  const quoted = matchAt(QUOTED_PATTERN, text, offset)
  if (quoted) return { step: unquoteStep(quoted[1]!, offset), next: offset + quoted[0].length }
  throw new PathSyntaxError(
    `A step of the path cannot be read: ${JSON.stringify(text.slice(offset, offset + 20))}.`,
    offset,
  )
}

/** The steps of a path such as `data.items[0]["first name"]`. Throws PathSyntaxError. */
export function parseExpressionPath(pathText: string): string[] {
  const start = pathText.length - pathText.trimStart().length
  const text = pathText.trimEnd()
  const root = matchAt(NAME_PATTERN, text, start)
  if (!root) throw new PathSyntaxError('A path must start with a name, such as contact or data.', start)
  const steps = [root[0]]
  for (let offset = start + root[0].length; offset < text.length; ) {
    if (steps.length === MAX_PATH_STEPS)
      throw new PathSyntaxError(`A path can have at most ${MAX_PATH_STEPS} steps.`, offset)
    const { step, next } = parseStepAt(text, offset)
    steps.push(step)
    offset = next
  }
  return steps
}

/** Reads the value at a path, from own members only. Returns null if a step is missing. */
export function readValueAtPath(scope: unknown, steps: readonly string[]): unknown {
  let value = scope
  for (const step of steps) {
    if (Array.isArray(value) ? !/^\d+$/.test(step) : !isJsonObject(value)) return null
    if (!Object.hasOwn(value as object, step)) return null
    value = (value as Record<string, unknown>)[step]
  }
  return value ?? null
}
