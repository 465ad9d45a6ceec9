import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

const deflateBytes = promisify(deflateRaw)
const inflateBytes = promisify(inflateRaw)

const INITIAL_BYTES = 64 * 1024
/** A distance of 53 bits takes eight bytes of seven bits each at most. */
const MAX_DISTANCE_BYTES = 8

/** Takes ascending ids, and gives them packed: each as the distance to the one before, in groups of seven bits. */
export function createMemberPacker(): { add(id: number): void; packed(): Promise<Buffer> } {
  let packedBytes = Buffer.allocUnsafe(INITIAL_BYTES)
  let packedLength = 0
  let lastId = 0
  return {
    add(id) {
      if (packedLength + MAX_DISTANCE_BYTES > packedBytes.length)
        packedBytes = Buffer.concat([packedBytes, Buffer.allocUnsafe(packedBytes.length)])
      let distance = id - lastId
      lastId = id
      for (; distance > 127; distance = Math.floor(distance / 128)) packedBytes[packedLength++] = (distance % 128) + 128
      packedBytes[packedLength++] = distance
    },
    packed: () => deflateBytes(packedBytes.subarray(0, packedLength), { level: 1 }),
  }
}

/** The ids of a packed set, ascending. */
export async function unpackMemberIds(packed: Buffer): Promise<Generator<number, undefined>> {
  const inflatedBytes = await inflateBytes(packed)
  return (function* () {
    let id = 0
    for (let byteIndex = 0; byteIndex < inflatedBytes.length; ) {
      let distance = 0
      for (let weight = 1; ; weight *= 128) {
        const byte = inflatedBytes[byteIndex++]!
        distance += (byte & 127) * weight
        if (byte < 128) break
      }
      id += distance
      yield id
    }
    return undefined
  })()
}

/** Compares ascending ids with those of before; `previousIds` undefined: nothing is known of them. */
export function createMemberComparer(previousIds: Iterator<number, undefined> | undefined): {
  add(id: number): void
  changes(): { entered: number; gone: number }
} {
  let nextPreviousId = previousIds?.next().value
  let [enteredCount, leftCount] = [0, 0]
  return {
    add(id) {
      for (; nextPreviousId !== undefined && nextPreviousId < id; nextPreviousId = previousIds?.next().value)
        leftCount++
      if (nextPreviousId === id) nextPreviousId = previousIds?.next().value
      else if (previousIds) enteredCount++
    },
    changes() {
      for (; nextPreviousId !== undefined; nextPreviousId = previousIds?.next().value) leftCount++
      return { entered: enteredCount, gone: leftCount }
    },
  }
}
