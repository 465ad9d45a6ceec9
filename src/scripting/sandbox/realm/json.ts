import { sandboxLimits } from '../limits.ts'

/** A value that cannot cross between the service and a script. */
export class JsonTransferError extends Error {}

/** How deep objects and arrays of a JSON text lie in each other. */
export function measureJsonDepth(text: string): number {
  let [depth, deepest] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return at
  }
  return text.length
}

const HARMFUL = /"(?:__proto__|constructor)"\s*:/

function drop(this: unknown, key: string, value: unknown): unknown {
  return (key === '__proto__' || key === 'constructor') && !Array.isArray(this) ? undefined : value
}

/** Checks a text that leaves or enters the engine, and takes keys out that could reach prototypes. Throws JsonTransferError. */
export function sanitizeJson(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) > maxBytes) throw new JsonTransferError(`is larger than ${maxBytes} bytes`)
  if (measureJsonDepth(text) > sandboxLimits.jsonDepth)
    throw new JsonTransferError(`is nested deeper than ${sandboxLimits.jsonDepth} levels`)
  return HARMFUL.test(text) ? JSON.stringify(JSON.parse(text, drop)) : text
}

/** The text of a value of the service. Throws JsonTransferError for what is no JSON. */
export function toTransferableJson(value: unknown, maxBytes: number): string {
  return sanitizeJson(textOf(value), maxBytes)
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    throw new JsonTransferError('is no JSON')
  }
}
