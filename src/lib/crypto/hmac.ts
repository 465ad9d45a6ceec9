import { createHash } from 'node:crypto'

/**
 * A key for HMAC-SHA256 (RFC 2104): the inner and outer state of SHA-256 after the block of the key.
 * Plain numbers: may be passed to another thread.
 */
export interface HmacKey {
  inner: Int32Array
  outer: Int32Array
}

const BLOCK_BYTES = 64
const BLOCK_WORDS = 16
const DIGEST_BYTES = 32

/** The round constants of SHA-256 (FIPS 180-4, 4.2.2): the fractions of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = Int32Array.from(
  Buffer.from(
    '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc372be5d7480deb1fe' +
      '9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da983e5152a831c66db00327c8bf597fc7' +
      'c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664b' +
      'c24b8b70c76c51a3d192e819d6990624f40e3585106aa07019a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3' +
      '748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2',
    'hex',
  ).reduce<number[]>((words, byte, at) => {
    words[at >> 2] = ((words[at >> 2] ?? 0) << 8) | byte
    return words
  }, []),
)
const INITIAL_STATE = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
)

/** Scratch buffers: nothing in them outlives a call. */
const stateWords = new Int32Array(8)
const messageSchedule = new Int32Array(64)
/** The block around an inner digest: 32 bytes after the key's block, padded. */
const outerBlock = Int32Array.of(...INITIAL_STATE, 1 << 31, 0, 0, 0, 0, 0, 0, 8 * (BLOCK_BYTES + DIGEST_BYTES))

export function createHmacKey(secret: Uint8Array): HmacKey {
  const key = new Int32Array(BLOCK_WORDS)
  writeBytes(secret.length > BLOCK_BYTES ? createHash('sha256').update(secret).digest() : secret, key, 0)
  const compressKeyBlock = (filler: number): Int32Array => {
    stateWords.set(INITIAL_STATE)
    compressBlock(
      key.map((word) => word ^ filler),
      0,
    )
    return stateWords.slice()
  }
  return { inner: compressKeyBlock(0x36363636), outer: compressKeyBlock(0x5c5c5c5c) }
}

/** The HMAC-SHA256 of a message: 32 bytes. */
export function computeHmac(key: HmacKey, message: Uint8Array): Buffer {
  const digest = Buffer.allocUnsafe(DIGEST_BYTES)
  writeHmac(key, padHmacInput(message), digest, 0)
  return digest
}

/**
 * The words that an HMAC works through: the parts of a message one after the other, and the padding of FIPS 180-4, 5.1.1.
 * For many messages that differ little, a caller keeps the words and changes some of them.
 */
export function padHmacInput(...parts: readonly Uint8Array[]): Int32Array {
  let totalLength = 0
  for (const part of parts) totalLength += part.length
  const words = new Int32Array(BLOCK_WORDS * Math.ceil((totalLength + 9) / BLOCK_BYTES))
  let byteIndex = 0
  for (const part of parts) byteIndex = writeBytes(part, words, byteIndex)
  words[byteIndex >> 2]! |= 0x80 << (24 - 8 * (byteIndex & 3))
  words[words.length - 1] = 8 * (BLOCK_BYTES + totalLength)
  return words
}

/**
 * Writes the HMAC-SHA256 of padded words from `from` to the end of `target`: as many of its 32 bytes as fit.
 * Written here because a message carries twenty of them over 38 bytes each (decision 5): no object, no call into C++.
 */
export function writeHmac({ inner, outer }: HmacKey, words: Int32Array, target: Uint8Array, from: number): void {
  stateWords.set(inner)
  for (let offset = 0; offset < words.length; offset += BLOCK_WORDS) compressBlock(words, offset)
  outerBlock.set(stateWords)
  stateWords.set(outer)
  compressBlock(outerBlock, 0)
  for (let offset = from, out = 0; offset < target.length; offset++, out++)
    target[offset] = stateWords[out >> 2]! >>> (24 - 8 * (out & 3))
}

/** Puts bytes into words, most significant first, from the byte `at`; gives where the next one goes. */
function writeBytes(bytes: Uint8Array, words: Int32Array, at: number): number {
  for (let i = 0; i < bytes.length; i++, at++) words[at >> 2]! |= bytes[i]! << (24 - 8 * (at & 3))
  return at
}

/** One block of SHA-256 (FIPS 180-4, 6.2.2). The same steps whatever the words: its time does not depend on the data. */
function compressBlock(block: Int32Array, from: number): void {
  const w = messageSchedule
  for (let i = 0; i < BLOCK_WORDS; i++) w[i] = block[from + i]!
  for (let i = BLOCK_WORDS; i < 64; i++) {
    const x = w[i - 15]!
    const y = w[i - 2]!
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
  }
  let a = stateWords[0]!
  let b = stateWords[1]!
  let c = stateWords[2]!
  let d = stateWords[3]!
  let e = stateWords[4]!
  let f = stateWords[5]!
  let g = stateWords[6]!
  let h = stateWords[7]!
  // Unrolling eight rounds to rename the variables instead of moving them was measured: it is slower.
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + (g ^ (e & (f ^ g))) + ROUND_CONSTANTS[i]! + w[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  stateWords[0]! += a
  stateWords[1]! += b
  stateWords[2]! += c
  stateWords[3]! += d
  stateWords[4]! += e
  stateWords[5]! += f
  stateWords[6]! += g
  stateWords[7]! += h
}
