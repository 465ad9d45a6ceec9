import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/*
 * Random bytes of this process that are the same in every run, so that IDs made within one millisecond, and lists in their order, are too.
 * It must be imported before any other module. Keys are made by OpenSSL itself, which this does not change.
 */

let drawn = 0

function drawBytes(size: number): Buffer {
  const parts: Buffer[] = []
  for (let length = 0; length < size; length += 32)
    parts.push(crypto.createHash('sha256').update(`examples ${++drawn}`).digest())
  return Buffer.concat(parts).subarray(0, size)
}

function drawUuid(): ReturnType<typeof crypto.randomUUID> {
  const hex = drawBytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

type DrawnCallback = (error: Error | null, bytes: Buffer) => void

function drawRandomBytes(size: number, callback?: DrawnCallback): Buffer | undefined {
  const bytes = drawBytes(size)
  if (!callback) return bytes
  process.nextTick(callback, null, bytes)
  return undefined
}

Object.assign(crypto, { randomBytes: drawRandomBytes, randomUUID: drawUuid })
syncBuiltinESMExports()
