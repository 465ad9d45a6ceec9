import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

const FIRST_BYTES = 64 * 1024
/** A distance of 53 bits takes eight bytes of seven bits each at most. */
const LONGEST_DISTANCE = 8

/** Takes ascending ids, and gives them packed: each as the distance to the one before, in groups of seven bits. */
export function createMemberPacker(): { add(id: number): void; packed(): Promise<Buffer> } {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES)
  let length = 0
  let last = 0
  return {
    add(id) {
      if (length + LONGEST_DISTANCE > bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)])
      let distance = id - last
      last = id
      for (; distance > 127; distance = Math.floor(distance / 128)) bytes[length++] = (distance % 128) + 128
      bytes[length++] = distance
    },
    packed: () => compress(bytes.subarray(0, length), { level: 1 }),
  }
}

/** The ids of a packed set, ascending. */
export async function unpackMemberIds(packed: Buffer): Promise<Generator<number, undefined>> {
  const bytes = await decompress(packed)
  return (function* () {
    let id = 0
    for (let at = 0; at < bytes.length; ) {
      let distance = 0
      for (let weight = 1; ; weight *= 128) {
        const byte = bytes[at++]!
        distance += (byte & 127) * weight
        if (byte < 128) break
      }
      id += distance
      yield id
    }
    return undefined
  })()
}

/** Compares ascending ids with those of before; `old` undefined: nothing is known of them. */
export function createMemberComparer(old: Iterator<number, undefined> | undefined): {
  add(id: number): void
  changes(): { entered: number; gone: number }
} {
  let next = old?.next().value
  let [entered, gone] = [0, 0]
  return {
    add(id) {
      for (; next !== undefined && next < id; next = old?.next().value) gone++
      if (next === id) next = old?.next().value
      else if (old) entered++
    },
    changes() {
      for (; next !== undefined; next = old?.next().value) gone++
      return { entered, gone }
    },
  }
}
