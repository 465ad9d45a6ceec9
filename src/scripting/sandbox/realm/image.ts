const PAGE_BYTES = 65_536
/** Asked of the allocator to see which of its words says how far it came: more than it has left of what it took. */
const PROBE_BYTES = 4 * PAGE_BYTES

/** Memory of an engine at a moment. */
export interface MemoryImage {
  /** Puts it back: what was made since then is gone, and there is zero where there was nothing. */
  restore(): void
  /** Returns the maximum number of bytes that the allocator has reserved since then. */
  taken(): number
}

interface MemoryPage {
  at: number
  bytes: Uint8Array
}

/** The pages that hold anything. */
function listUsedPages(memory: Uint8Array): MemoryPage[] {
  const memoryPages: MemoryPage[] = []
  const empty = new Uint8Array(PAGE_BYTES)
  for (let offset = 0; offset < memory.length; offset += PAGE_BYTES) {
    const page = memory.subarray(offset, offset + PAGE_BYTES)
    if (Buffer.compare(page, empty) !== 0) memoryPages.push({ at: offset, bytes: page.slice() })
  }
  return memoryPages
}

/** The words of the engine's own variables: they stand before its stack, which is empty. */
function readEngineWords(memory: WebAssembly.Memory, memoryPages: readonly MemoryPage[]): Uint32Array {
  const gapIndex = memoryPages.findIndex(({ at: offset }, index) => offset !== index * PAGE_BYTES)
  return new Uint32Array(memory.buffer.slice(0, gapIndex * PAGE_BYTES))
}

/**
 * The address of the word in which the allocator keeps the end of what it took. Of its words that grow with what is asked of it,
 * it is the largest: the others are addresses within, and sizes.
 */
function findEndAddress(words: () => Uint32Array, allocate: (bytes: number) => void): number {
  allocate(PROBE_BYTES)
  const wordsBefore = words()
  allocate(PROBE_BYTES)
  const wordsAfter = words()
  let endWordAddress = 0
  for (const [offset, value] of wordsAfter.entries())
    if (value - wordsBefore[offset]! >= PROBE_BYTES && value > wordsAfter[endWordAddress]!) endWordAddress = offset
  allocate(PROBE_BYTES)
  if (endWordAddress === 0 || words()[endWordAddress]! - wordsAfter[endWordAddress]! < PROBE_BYTES)
    throw new Error('The allocator of the engine does not say how far it came.')
  return endWordAddress * Uint32Array.BYTES_PER_ELEMENT
}

/** Takes an image of a memory whose stack is empty. `allocate` asks its allocator, and keeps what it gets. */
export function captureMemoryImage(memory: WebAssembly.Memory, allocate: (bytes: number) => void): MemoryImage {
  const memoryPages = listUsedPages(new Uint8Array(memory.buffer))
  const end = (memoryPages.at(-1)?.at ?? 0) + PAGE_BYTES
  const endWordOffset = findEndAddress(() => readEngineWords(memory, memoryPages), allocate)
  const readAllocatedEnd = () => new Uint32Array(memory.buffer, endWordOffset, 1)[0]!
  function restore(): void {
    // A memory that has grown has another buffer.
    const bytes = new Uint8Array(memory.buffer)
    const currentEnd = readAllocatedEnd()
    if (currentEnd > end) bytes.fill(0, end, currentEnd)
    for (const page of memoryPages) bytes.set(page.bytes, page.at)
  }
  restore()
  return { restore, taken: () => Math.max(0, readAllocatedEnd() - end) }
}
