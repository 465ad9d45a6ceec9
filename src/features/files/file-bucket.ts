import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createS3Client, type S3Location } from '../../lib/net/s3.ts'

/** A storage that says nothing for so long is away. */
const ANSWER_MS = 15_000
/** The slowest that a storage may take or give a file. */
const SLOWEST_BYTES_PER_SECOND = 1 << 20
/** A file is read to its end within this: as long as the largest one takes. */
const READ_MS = 2 * 3_600_000

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
  /** Copies a file to a path; false when there is none. */
  fetch(name: string, to: string, signal?: AbortSignal): Promise<boolean>
  remove(name: string): Promise<void>
  list(prefix: string): AsyncGenerator<StoredBucketFile>
}

const KEY = /<Key>([^<]*)<\/Key>/
const LAST_MODIFIED = /<LastModified>([^<]*)<\/LastModified>/

/** The objects in an answer to ListObjectsV2; keys of this service contain nothing that XML escapes. */
function objectsIn(xml: string): { key: string; at: string }[] {
  return xml.split('</Contents>').flatMap((entry) => {
    const [key, at] = [KEY.exec(entry)?.[1], LAST_MODIFIED.exec(entry)?.[1]]
    return key === undefined || at === undefined ? [] : [{ key, at }]
  })
}

/** Opens a bucket for files. */
export function openFileBucket(place: S3Location): FileBucket {
  const ask = createS3Client(place)

  async function stream(name: string, signal?: AbortSignal): Promise<Readable | undefined> {
    const answer = await ask({ method: 'GET', name, timeoutMs: READ_MS, ...(signal && { signal }) })
    return answer && (answer.body ? Readable.fromWeb(answer.body as ReadableStream) : Readable.from([]))
  }

  return {
    async write(name, body) {
      const timeoutMs = ANSWER_MS + Math.ceil((body.size / SLOWEST_BYTES_PER_SECOND) * 1000)
      const answer = await ask({ method: 'PUT', name, body, timeoutMs })
      if (answer === undefined) throw new Error('the archive storage answered 404 to PUT')
      await answer.arrayBuffer()
    },
    async size(name) {
      const answer = await ask({ method: 'HEAD', name, timeoutMs: ANSWER_MS })
      return answer && Number(answer.headers.get('content-length'))
    },
    async *read(name) {
      const content = await stream(name)
      if (!content) throw new Error(`the archive storage has no ${name}`)
      yield* content
    },
    async fetch(name, to, signal) {
      const content = await stream(name, signal)
      if (!content) return false
      await pipeline(content, createWriteStream(to))
      return true
    },
    async remove(name) {
      await (await ask({ method: 'DELETE', name, timeoutMs: ANSWER_MS }))?.arrayBuffer()
    },
    async *list(prefix) {
      for (let after = ''; ; ) {
        const query = `?list-type=2&prefix=${encodeURIComponent(place.prefix + prefix)}${
          after === '' ? '' : `&start-after=${encodeURIComponent(after)}`
        }`
        const answer = await ask({ method: 'GET', name: '', query, timeoutMs: ANSWER_MS })
        const objects = objectsIn((await answer?.text()) ?? '')
        for (const { key, at } of objects) {
          yield { name: key.slice(place.prefix.length), at: Date.parse(at) }
          after = key
        }
        if (objects.length === 0) return
      }
    },
  }
}
