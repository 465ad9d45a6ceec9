import { Worker } from 'node:worker_threads'
import { openPlaces } from '../../lib/concurrency/places.ts'
import { watchThread } from '../../lib/concurrency/thread-limit.ts'
import { overloaded } from '../../lib/errors/problem.ts'
import { unreadable } from './media-types.ts'
import type { Refused, Sized, SizeTask } from './size-worker.ts'

/** Reads pictures and makes smaller copies, each in a thread of its own. */
export type Sizer = (task: SizeTask) => Promise<Sized>

export interface SizerOptions {
  /** Milliseconds of processor time that one may take once its thread has loaded: 20,000 by default. */
  limitMs?: number
}

/** A picture of 50 megapixels takes about half a gigabyte while it is decoded. */
const AT_ONCE = 1
/** The most pictures that wait: each is held in memory. */
const QUEUED = 10

/** Resizes the pictures of one process. Throws 400 for pictures that cannot be decoded or take too long twice, 503 after 5 s of waiting. */
export function createSizer({ limitMs = 20_000 }: SizerOptions = {}): Sizer {
  const inPlace = openPlaces(AT_ONCE, 'Other pictures are being read. Try again.', QUEUED)
  return (task) =>
    inPlace(async () => {
      // A first timeout may be due to a busy machine.
      const picture = (await ask(task, limitMs)) ?? (await ask(task, limitMs))
      if (picture === undefined) throw unreadable(task.type)
      return picture
    })
}

/** Reads a picture in a thread; undefined if it takes more than `limitMs` of processor time. */
async function ask(task: SizeTask, limitMs: number): Promise<Sized | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Sized | undefined>()
  const refuse = (): void => reject(unreadable(task.type))
  const worker = new Worker(new URL('./size-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // What the decoders say of hostile files is no news of the service.
    stdout: true,
    stderr: true,
  })
  let unwatch = (): void => undefined
  const watch = (): void => {
    unwatch = watchThread(worker, limitMs, (limit) =>
      limit === 'cpu'
        ? resolve(undefined)
        : reject(overloaded('The thread that reads pictures did not answer. Try again.')),
    )
  }
  worker.on('message', (made: Sized | Refused | 'loaded') => {
    if (made === 'loaded') watch()
    else if ('refused' in made) reject(unreadable(task.type, made.refused))
    else resolve(made)
  })
  worker.on('error', refuse).on('exit', refuse)
  try {
    return await promise
  } finally {
    unwatch()
    await worker.terminate()
  }
}
