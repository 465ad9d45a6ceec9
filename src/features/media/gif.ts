import { countPictureParts, unreadablePictureProblem } from './media-types.ts'

/** Applications whose extensions say how often it moves. */
const KEPT = ['NETSCAPE2.0', 'ANIMEXTS1.0']
const GRAPHIC_CONTROL = 0xf9
const PLAIN_TEXT = 0x01
const APPLICATION = 0xff

/** How long a table of colours is, by the flags before it. */
const tableLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Behind the last of the sub-blocks that begin here; undefined when they are cut off. */
function afterBlocks(bytes: Buffer, start: number): number | undefined {
  for (let at = start; at < bytes.length; ) {
    const length = bytes[at]!
    at += length + 1
    if (length === 0) return at
  }
  return undefined
}

function isKept(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1]
  if (label === APPLICATION) return KEPT.includes(bytes.toString('latin1', at + 3, at + 14))
  return label === GRAPHIC_CONTROL || label === PLAIN_TEXT
}

/** The block that begins here: where it ends, and whether it shows. */
function blockAt(bytes: Buffer, at: number): { end: number | undefined; isShown: boolean } {
  if (bytes[at] === 0x21) return { end: afterBlocks(bytes, at + 2), isShown: isKept(bytes, at) }
  if (bytes[at] !== 0x2c || at + 11 > bytes.length) return { end: undefined, isShown: false }
  return { end: afterBlocks(bytes, at + 11 + tableLength(bytes[at + 9]!)), isShown: true }
}

/** A GIF (89a) without comments and what programs wrote into it. Throws 400 for one that is cut off or has too many parts. */
export function stripGifMetadata(bytes: Buffer): Buffer {
  let at = 13 + tableLength(bytes[10] ?? 0)
  const kept = [bytes.subarray(0, at)]
  const count = countPictureParts('image/gif')
  while (at < bytes.length && bytes[at] !== 0x3b) {
    count()
    const { end, isShown } = blockAt(bytes, at)
    if (end === undefined) throw unreadablePictureProblem('image/gif')
    if (isShown) kept.push(bytes.subarray(at, end))
    at = end
  }
  if (at >= bytes.length || kept.length < 2) throw unreadablePictureProblem('image/gif')
  return Buffer.concat([...kept, Buffer.from([0x3b])])
}
