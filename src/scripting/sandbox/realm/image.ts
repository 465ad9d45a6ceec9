const PAGE_BYTES = 65_536
/** Asked of the allocator to see which of its words says how far it came: more than it has left of what it took. */
const PROBE_BYTES = 4 * PAGE_BYTES

/** What the memory of an engine holds at a moment. */
export interface MemoryImage {
  /** Puts it back: what was made since then is gone, and there is zero where there was nothing. */
  restore(): void
  /** How many bytes the allocator took since then, at most. */
  taken(): number
}

interface Page {
  at: number
  bytes: Uint8Array
}

/** The pages that hold anything. */
function heldPages(memory: Uint8Array): Page[] {
  const pages: Page[] = []
  const empty = new Uint8Array(PAGE_BYTES)
  for (let at = 0; at < memory.length; at += PAGE_BYTES) {
    const page = memory.subarray(at, at + PAGE_BYTES)
    if (Buffer.compare(page, empty) !== 0) pages.push({ at, bytes: page.slice() })
  }
  return pages
}

/** The words of the engine's own variables: they stand before its stack, which is empty. */
function variables(memory: WebAssembly.Memory, pages: readonly Page[]): Uint32Array {
  const gap = pages.findIndex(({ at }, index) => at !== index * PAGE_BYTES)
  return new Uint32Array(memory.buffer.slice(0, gap * PAGE_BYTES))
}

/**
 * The address of the word in which the allocator keeps the end of what it took. Of its words that grow with what is asked of it,
 * it is the largest: the others are addresses within, and sizes.
 */
function endAddress(words: () => Uint32Array, allocate: (bytes: number) => void): number {
  allocate(PROBE_BYTES)
  const before = words()
  allocate(PROBE_BYTES)
  const after = words()
  let found = 0
  for (const [at, value] of after.entries()) if (value - before[at]! >= PROBE_BYTES && value > after[found]!) found = at
  allocate(PROBE_BYTES)
  if (found === 0 || words()[found]! - after[found]! < PROBE_BYTES)
    throw new Error('The allocator of the engine does not say how far it came.')
  return found * Uint32Array.BYTES_PER_ELEMENT
}

/** Takes an image of a memory whose stack is empty. `allocate` asks its allocator, and keeps what it gets. */
export function captureMemoryImage(memory: WebAssembly.Memory, allocate: (bytes: number) => void): MemoryImage {
  const pages = heldPages(new Uint8Array(memory.buffer))
  const end = (pages.at(-1)?.at ?? 0) + PAGE_BYTES
  const address = endAddress(() => variables(memory, pages), allocate)
  const reached = () => new Uint32Array(memory.buffer, address, 1)[0]!
  function restore(): void {
    // A memory that has grown has another buffer.
    const bytes = new Uint8Array(memory.buffer)
    const most = reached()
    if (most > end) bytes.fill(0, end, most)
    for (const page of pages) bytes.set(page.bytes, page.at)
  }
  restore()
  return { restore, taken: () => Math.max(0, reached() - end) }
}
