import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../../lib/errors/problem.ts'
import { detectFileKind } from './file-kind.ts'
import { type ImportReadTask, type LineBatch, readLineBatches } from './reader.ts'
import type { ReaderThreadReply } from './reader-worker.ts'

/** Heap of a reading thread; the rest of a run's 128 MiB are buffers and the batches under way. */
const THREAD_HEAP_MIB = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 }

/** A plain file of this size, in bytes, is read in less time than a thread takes to start. */
const SMALL_FILE_BYTES = 1 << 16

/** The batches of `readLineBatches`, read without a thread where they are few. */
export async function* readImportBatches(task: ImportReadTask): AsyncGenerator<LineBatch> {
  const { size } = await stat(task.upload.path)
  const isSmall = size <= SMALL_FILE_BYTES && (await detectFileKind(task.upload)) === 'plain'
  yield* isSmall ? readLineBatches(task) : readBatchesInThread(task)
}

/**
 * The batches of `readLineBatches`, read by a thread of their own, so that reads and sends stay served. One batch is read
 * ahead while the caller writes the one before. Throws the Problems of `readLineBatches`. Ending the iteration early ends the thread.
 */
export async function* readBatchesInThread(task: ImportReadTask): AsyncGenerator<LineBatch> {
  const worker = new Worker(new URL('./reader-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: THREAD_HEAP_MIB,
  })
  // A thread that dies must not leave its run waiting.
  const workerExit = once(worker, 'exit').then(([status]): never => {
    throw new Error(`the reading thread ended with status ${status}`)
  })
  workerExit.catch(() => undefined)
  const requestBatch = (): Promise<ReaderThreadReply> => {
    worker.postMessage('next')
    const reply = Promise.race([once(worker, 'message').then(([message]) => message as ReaderThreadReply), workerExit])
    // A caller that ends early does not wait for it.
    reply.catch(() => undefined)
    return reply
  }
  try {
    for (let nextReply = requestBatch(); ; ) {
      const message = await nextReply
      if ('done' in message) return
      if ('problem' in message) throw new Problem(400, message.problem.kind, message.problem.detail)
      nextReply = requestBatch()
      yield message.batch
    }
  } finally {
    await worker.terminate()
  }
}
