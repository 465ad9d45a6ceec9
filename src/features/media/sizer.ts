import { Worker } from 'node:worker_threads'
import { watchThreadCpu } from '../../lib/concurrency/thread-limit.ts'
import { createWorkSlots } from '../../lib/concurrency/work-slots.ts'
import { overloadedProblem } from '../../lib/errors/problem.ts'
import { unreadablePictureProblem } from './media-types.ts'
import type { PictureSizeTask, RefusedPicture, SizedPicture } from './size-worker.ts'

/** Reads pictures and makes smaller copies, each in a thread of its own. */
export type PictureSizer = (task: PictureSizeTask) => Promise<SizedPicture>

export interface PictureSizerOptions {
  /** Milliseconds of processor time that one may take once its thread has loaded: 20,000 by default. */
  limitMs?: number
}

/** A picture of 50 megapixels takes about half a gigabyte while it is decoded. */
const MAX_CONCURRENT = 1
/** The most pictures that wait: each is held in memory. */
const MAX_QUEUED = 10

/** Resizes the pictures of one process. Throws 400 for pictures that cannot be decoded or take too long twice, 503 after 5 s of waiting. */
export function createPictureSizer({ limitMs = 20_000 }: PictureSizerOptions = {}): PictureSizer {
  const runInSlot = createWorkSlots(MAX_CONCURRENT, 'Too many pictures are being processed. Try again.', MAX_QUEUED)
  return (task) =>
    runInSlot(async () => {
      // A first timeout may be due to a busy machine.
      const picture = (await sizeInWorker(task, limitMs)) ?? (await sizeInWorker(task, limitMs))
      if (picture === undefined) throw unreadablePictureProblem(task.type)
      return picture
    })
}

/** Reads a picture in a thread; undefined if it takes more than `limitMs` of processor time. */
async function sizeInWorker(task: PictureSizeTask, limitMs: number): Promise<SizedPicture | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<SizedPicture | undefined>()
  const rejectPicture = (): void => reject(unreadablePictureProblem(task.type))
  const worker = new Worker(new URL('./size-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // What the decoders say of hostile files is no news of the service.
    stdout: true,
    stderr: true,
  })
  let stopWatching = (): void => undefined
  const watch = (): void => {
    stopWatching = watchThreadCpu(worker, limitMs, (limit) =>
      limit === 'cpu'
        ? resolve(undefined)
        : reject(overloadedProblem('The picture was not processed in time. Try again.')),
    )
  }
  worker.on('message', (workerMessage: SizedPicture | RefusedPicture | 'loaded') => {
    if (workerMessage === 'loaded') watch()
    else if ('refused' in workerMessage) reject(unreadablePictureProblem(task.type, workerMessage.refused))
    else resolve(workerMessage)
  })
  worker.on('error', rejectPicture).on('exit', rejectPicture)
  try {
    return await promise
  } finally {
    stopWatching()
    await worker.terminate()
  }
}
