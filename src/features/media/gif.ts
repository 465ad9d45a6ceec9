import { countPictureParts, unreadablePictureProblem } from './media-types.ts'

/** Applications whose extensions say how often it moves. */
const ANIMATION_EXTENSIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0']
const GRAPHIC_CONTROL_LABEL = 0xf9
const PLAIN_TEXT_LABEL = 0x01
const APPLICATION_LABEL = 0xff

/** Length of a color table, from the flags before it. */
const colorTableLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Behind the last of the sub-blocks that begin here; undefined when they are cut off. */
function skipSubBlocks(bytes: Buffer, start: number): number | undefined {
  for (let position = start; position < bytes.length; ) {
    const length = bytes[position]!
    position += length + 1
    if (length === 0) return position
  }
  return undefined
}

function isRetainedExtension(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1]
  if (label === APPLICATION_LABEL) return ANIMATION_EXTENSIONS.includes(bytes.toString('latin1', at + 3, at + 14))
  return label === GRAPHIC_CONTROL_LABEL || label === PLAIN_TEXT_LABEL
}

/** The block that begins here: where it ends, and whether it shows. */
function readBlock(bytes: Buffer, at: number): { end: number | undefined; isShown: boolean } {
  if (bytes[at] === 0x21) return { end: skipSubBlocks(bytes, at + 2), isShown: isRetainedExtension(bytes, at) }
  if (bytes[at] !== 0x2c || at + 11 > bytes.length) return { end: undefined, isShown: false }
  return { end: skipSubBlocks(bytes, at + 11 + colorTableLength(bytes[at + 9]!)), isShown: true }
}

/** A GIF (89a) without comments and what programs wrote into it. Throws 400 for one that is cut off or has too many parts. */
export function stripGifMetadata(bytes: Buffer): Buffer {
  let position = 13 + colorTableLength(bytes[10] ?? 0)
  const retainedBlocks = [bytes.subarray(0, position)]
  const count = countPictureParts('image/gif')
  while (position < bytes.length && bytes[position] !== 0x3b) {
    count()
    const { end: blockEnd, isShown: isVisibleBlock } = readBlock(bytes, position)
    if (blockEnd === undefined) throw unreadablePictureProblem('image/gif')
    if (isVisibleBlock) retainedBlocks.push(bytes.subarray(position, blockEnd))
    position = blockEnd
  }
  if (position >= bytes.length || retainedBlocks.length < 2) throw unreadablePictureProblem('image/gif')
  return Buffer.concat([...retainedBlocks, Buffer.from([0x3b])])
}
