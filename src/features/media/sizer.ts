import { Worker } from 'node:worker_threads'
import { openPlaces } from '../../lib/places.ts'
import { overloaded } from '../../lib/problem.ts'
import { watchThread } from '../../lib/thread-limit.ts'
import { unreadable } from './media-types.ts'
import type { Refused, Sized, SizeTask } from './size-worker.ts'

/** Reads pictures and makes smaller copies, each in a thread of its own. */
export type Sizer = (task: SizeTask) => Promise<Sized>

/** Processor time of the thread. */
const LIMIT_MS = 20_000
/** A picture of 50 megapixels takes about half a gigabyte while it is decoded. */
const AT_ONCE = 1
/** The most pictures that wait: each is held in memory. */
const QUEUED = 10

/** Resizes the pictures of one process. Throws 400 for pictures that cannot be decoded in time, 503 after 5 s of waiting for others. */
export function createSizer(): Sizer {
  const inPlace = openPlaces(AT_ONCE, 'Other pictures are being read. Try again.', QUEUED)
  return (task) => inPlace(() => ask(task))
}

async function ask(task: SizeTask): Promise<Sized> {
  const { promise, resolve, reject } = Promise.withResolvers<Sized>()
  const refuse = (): void => reject(unreadable(task.type))
  const worker = new Worker(new URL('./size-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // What the decoders say of hostile files is no news of the service.
    stdout: true,
    stderr: true,
  })
  const unwatch = watchThread(worker, LIMIT_MS, (limit) =>
    limit === 'cpu' ? refuse() : reject(overloaded('The thread that reads pictures did not answer. Try again.')),
  )
  worker.on('message', (made: Sized | Refused) => {
    if ('refused' in made) reject(unreadable(task.type, made.refused))
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
