import { type SendOptions, send } from './send.ts'

/** What a file can be. A stream is sent once; anything else, and what a function gives, is sent again when a try fails. */
export type Content = Blob | Uint8Array | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export type FileSource = Content | (() => Content)

export interface FileOptions {
  /** Its ending says what it is: `.csv`, `.txt`, `.zip`, `.gz`, `.tgz`. */
  filename?: string
  /** Its media type; of a Blob its own, else `application/octet-stream`. */
  type?: string
}

/** A body, and whether it can be made once more. */
export interface FileBody {
  type: string | undefined
  isRepeatable: boolean
  make(): ReadableStream<Uint8Array> | Blob | Uint8Array<ArrayBuffer> | string
}

function isIterable(content: Content): content is AsyncIterable<Uint8Array> {
  return typeof content === 'object' && Symbol.asyncIterator in content && !(content instanceof ReadableStream)
}

function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

/** The body of an upload. */
export function bodyOf(source: FileSource): FileBody {
  const isMade = typeof source === 'function'
  const isStream = !isMade && (source instanceof ReadableStream || isIterable(source as Content))
  return {
    type: source instanceof Blob && source.type !== '' ? source.type : undefined,
    isRepeatable: !isStream,
    make() {
      const content = isMade ? source() : source
      return isIterable(content) ? streamOf(content) : (content as Uint8Array<ArrayBuffer>)
    },
  }
}

/** The headers of a raw file (RFC 6266). */
export function headersOf({ type }: FileBody, options: FileOptions): Headers {
  const headers = new Headers({ 'content-type': options.type ?? type ?? 'application/octet-stream' })
  if (options.filename !== undefined)
    headers.set('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(options.filename)}`)
  return headers
}

/** A `fetch` for the generated client that puts a file in the place of the body. */
export function uploadingFetch(source: FileSource, given: FileOptions, options: SendOptions): typeof fetch {
  const file = bodyOf(source)
  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init)
    const { url, method, headers, signal } = request
    for (const [name, value] of headersOf(file, given)) headers.set(name, value)
    const make = (all: Headers) =>
      // Streams go out while they are read.
      new Request(url, { method, headers: all, signal, body: file.make(), duplex: 'half' } as RequestInit)
    return send({ method, headers, signal, isRepeatable: file.isRepeatable, make, origin: request }, options)
  }
}
