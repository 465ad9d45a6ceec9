import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createS3Client, type S3Location } from '../../lib/net/s3.ts'

/** A storage that says nothing for so long is away. */
const RESPONSE_TIMEOUT_MS = 15_000
/** The slowest that a storage may take or give a file. */
const MIN_BYTES_PER_SECOND = 1 << 20
/** A file is read to its end within this: as long as the largest one takes. */
const READ_TIMEOUT_MS = 2 * 3_600_000

/** A file in a bucket, and when it was put there, in milliseconds. */
export interface StoredBucketFile {
  name: string
  at: number
}

/** Files as objects of an S3-compatible storage; an object has 5 GiB at most. */
export interface FileBucket {
  write(name: string, content: Blob): Promise<void>
  size(name: string): Promise<number | undefined>
  /** Throws when there is no such file. */
  read(name: string): AsyncGenerator<Buffer>
  /** Copies a file to a path. `false` if it does not exist. */
  fetch(name: string, to: string, signal?: AbortSignal): Promise<boolean>
  remove(name: string): Promise<void>
  list(prefix: string): AsyncGenerator<StoredBucketFile>
}

const KEY_PATTERN = /<Key>([^<]*)<\/Key>/
const LAST_MODIFIED_PATTERN = /<LastModified>([^<]*)<\/LastModified>/

/** The objects in an answer to ListObjectsV2; keys of this service contain nothing that XML escapes. */
function parseObjectList(xml: string): { key: string; at: string }[] {
  return xml.split('</Contents>').flatMap((entry) => {
    const [key, modifiedText] = [KEY_PATTERN.exec(entry)?.[1], LAST_MODIFIED_PATTERN.exec(entry)?.[1]]
    return key === undefined || modifiedText === undefined ? [] : [{ key, at: modifiedText }]
  })
}

/** Opens a bucket for files. */
export function openFileBucket(place: S3Location): FileBucket {
  const sendRequest = createS3Client(place)

  async function openReadStream(name: string, signal?: AbortSignal): Promise<Readable | undefined> {
    const response = await sendRequest({ method: 'GET', name, timeoutMs: READ_TIMEOUT_MS, ...(signal && { signal }) })
    return response && (response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]))
  }

  return {
    async write(name, body) {
      const timeoutMs = RESPONSE_TIMEOUT_MS + Math.ceil((body.size / MIN_BYTES_PER_SECOND) * 1000)
      const response = await sendRequest({ method: 'PUT', name, body, timeoutMs })
      if (response === undefined) throw new Error('the archive storage returned 404 for PUT')
      await response.arrayBuffer()
    },
    async size(name) {
      const response = await sendRequest({ method: 'HEAD', name, timeoutMs: RESPONSE_TIMEOUT_MS })
      return response && Number(response.headers.get('content-length'))
    },
    async *read(name) {
      const content = await openReadStream(name)
      if (!content) throw new Error(`the archive storage has no ${name}`)
      yield* content
    },
    async fetch(name, to, signal) {
      const content = await openReadStream(name, signal)
      if (!content) return false
      await pipeline(content, createWriteStream(to))
      return true
    },
    async remove(name) {
      await (await sendRequest({ method: 'DELETE', name, timeoutMs: RESPONSE_TIMEOUT_MS }))?.arrayBuffer()
    },
    async *list(prefix) {
      for (let lastKey = ''; ; ) {
        const query = `?list-type=2&prefix=${encodeURIComponent(place.prefix + prefix)}${
          lastKey === '' ? '' : `&start-after=${encodeURIComponent(lastKey)}`
        }`
        const response = await sendRequest({ method: 'GET', name: '', query, timeoutMs: RESPONSE_TIMEOUT_MS })
        const objects = parseObjectList((await response?.text()) ?? '')
        for (const { key, at: modifiedAt } of objects) {
          yield { name: key.slice(place.prefix.length), at: Date.parse(modifiedAt) }
          lastKey = key
        }
        if (objects.length === 0) return
      }
    },
  }
}
