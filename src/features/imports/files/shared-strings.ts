import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import { MAX_IMPORT_LINE_LENGTH } from '../run/lines.ts'
import { readXmlPieces, unescapeXmlText } from './workbook-xml.ts'

/** The texts that the cells of a workbook share, by their numbers from 0. */
export interface SharedStrings {
  get(index: number): string | undefined
  close(): void
}

/** Bytes of texts that are kept in memory; further texts are kept in a file. */
const MAX_MEMORY_BYTES = 8 << 20
/** Characters of the texts looked up last that are cached. */
const MAX_CACHED_CHARACTERS = 4 << 20
/** Texts that are stored together, and their characters. */
const BLOCK_LIMITS = { texts: 64, characters: 1 << 14 }

/** A JSON array of texts, from the number `first` on: in memory, or at a place of the file. */
interface TextBlock {
  first: number
  at: Buffer | { position: number; length: number }
}

/** Texts one after another; memory is some MiB, and some bytes for each 64 texts. */
export class SharedStringStore implements SharedStrings {
  readonly #path: string
  readonly #blocks: TextBlock[] = []
  readonly #cache = new LRUCache<number, string[]>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (texts) => texts.reduce((size, text) => size + text.length + 1, 1),
  })
  #file: number | undefined
  #position = 0
  #blockBytes = 0
  #count = 0
  #open: string[] = []
  #openSize = 0

  /** `path`: a file that is created if the texts do not fit in memory. */
  constructor(path: string) {
    this.#path = path
  }

  add(text: string): void {
    // A copy: a part of a text would hold all of it.
    this.#open.push(Buffer.from(text).toString())
    this.#openSize += text.length
    this.#count += 1
    if (this.#open.length >= BLOCK_LIMITS.texts || this.#openSize >= BLOCK_LIMITS.characters) this.#closeBlock()
  }

  #closeBlock(): void {
    const firstIndex = this.#count - this.#open.length
    const bytes = Buffer.from(JSON.stringify(this.#open))
    this.#blockBytes += bytes.length
    this.#blocks.push({ first: firstIndex, at: this.#blockBytes <= MAX_MEMORY_BYTES ? bytes : this.#write(bytes) })
    this.#open = []
    this.#openSize = 0
  }

  #write(bytes: Buffer): { position: number; length: number } {
    this.#file ??= openSync(this.#path, 'w+')
    const position = this.#position
    for (let writtenBytes = 0; writtenBytes < bytes.length; )
      writtenBytes += writeSync(this.#file, bytes, writtenBytes, bytes.length - writtenBytes, position + writtenBytes)
    this.#position += bytes.length
    return { position, length: bytes.length }
  }

  get(index: number): string | undefined {
    const openStart = this.#count - this.#open.length
    if (index >= openStart) return this.#open[index - openStart]
    const blockIndex = this.#placeOf(index)
    const block = this.#blocks[blockIndex]
    return block && this.#textsOf(block, blockIndex)[index - block.first]
  }

  /** The last block that begins at or before a number. */
  #placeOf(index: number): number {
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#blocks[middle]!.first <= index) low = middle
      else high = middle - 1
    }
    return low
  }

  #textsOf({ at }: TextBlock, place: number): string[] {
    const cachedTexts = this.#cache.get(place)
    if (cachedTexts) return cachedTexts
    const texts: string[] = JSON.parse((Buffer.isBuffer(at) ? at : this.#read(at)).toString())
    this.#cache.set(place, texts)
    return texts
  }

  #read({ position, length }: { position: number; length: number }): Buffer {
    const bytes = Buffer.alloc(length)
    if (this.#file !== undefined) readSync(this.#file, bytes, 0, length, position)
    return bytes
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

/** Gathers the text of a string item or an inline string: runs of rich text joined, phonetic ones left out, cut after the length of the longest line. */
export function createRichTextCollector() {
  let text = ''
  let isText = false
  let isPhonetic = false
  return {
    open(name: string): void {
      if (name === 't') isText = !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    close(name: string): void {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
    },
    text(piece: string): void {
      if (isText && text.length <= MAX_IMPORT_LINE_LENGTH)
        text += piece.slice(0, MAX_IMPORT_LINE_LENGTH + 1 - text.length)
    },
    take(): string {
      const content = unescapeXmlText(text)
      text = ''
      return content
    },
  }
}

/** Reads the shared strings of a workbook into a store, at least up to the number `last`. Throws as `readXmlPieces`. */
export async function readSharedStrings(
  chunks: AsyncIterable<Buffer>,
  store: SharedStringStore,
  last: number,
): Promise<void> {
  const textCollector = createRichTextCollector()
  let isItem = false
  let count = 0
  const xmlPieces = readXmlPieces(chunks, {
    open(name) {
      if (name === 'si') isItem = true
      else if (isItem) textCollector.open(name)
    },
    close(name) {
      textCollector.close(name)
      if (name !== 'si') return
      isItem = false
      count += 1
      store.add(textCollector.take())
    },
    text: (piece) => textCollector.text(piece),
  })
  for await (const _ of xmlPieces) if (count > last) return
}
