import { sandboxLimits } from '../limits.ts'

/** A value that cannot cross between the service and a script. */
export class JsonTransferError extends Error {}

/** Measures the nesting depth of the objects and arrays of a JSON text. */
export function measureJsonDepth(text: string): number {
  let [depth, maxDepth] = [0, 0]
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === 0x22) position = findStringEnd(text, position)
    else if (code === 0x5b || code === 0x7b) maxDepth = Math.max(maxDepth, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return maxDepth
}

function findStringEnd(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === 0x5c) position++
    else if (code === 0x22) return position
  }
  return text.length
}

const HARMFUL_KEYS = /"(?:__proto__|constructor)"\s*:/

function dropHarmfulKey(this: unknown, key: string, value: unknown): unknown {
  return (key === '__proto__' || key === 'constructor') && !Array.isArray(this) ? undefined : value
}

/** Checks a text that leaves or enters the engine, and takes keys out that could reach prototypes. Throws JsonTransferError. */
export function sanitizeJson(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) > maxBytes) throw new JsonTransferError(`is larger than ${maxBytes} bytes`)
  if (measureJsonDepth(text) > sandboxLimits.jsonDepth)
    throw new JsonTransferError(`is nested deeper than ${sandboxLimits.jsonDepth} levels`)
  return HARMFUL_KEYS.test(text) ? JSON.stringify(JSON.parse(text, dropHarmfulKey)) : text
}

/** The text of a value of the service. Throws JsonTransferError for what is not JSON. */
export function toTransferableJson(value: unknown, maxBytes: number): string {
  return sanitizeJson(toJsonText(value), maxBytes)
}

function toJsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    throw new JsonTransferError('is not JSON')
  }
}
