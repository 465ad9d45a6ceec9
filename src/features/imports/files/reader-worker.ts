import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../../lib/errors/problem.ts'
import { type ImportReadTask, type LineBatch, readLineBatches } from './reader.ts'

/** The answer of the thread to each message: the next batch, the end, or why the file cannot be read. */
export type ReaderThreadReply = { batch: LineBatch } | { done: true } | { problem: { kind: string; detail: string } }

const task: ImportReadTask = workerData
const batches = readLineBatches(task)

async function answer(): Promise<ReaderThreadReply> {
  try {
    const next = await batches.next()
    return next.done ? { done: true } : { batch: next.value }
  } catch (error) {
    if (error instanceof Problem) return { problem: { kind: error.kind, detail: error.detail } }
    throw error
  }
}

parentPort?.on('message', async () => {
  const next = await answer()
  // The rows are transferred: neither thread copies them.
  parentPort?.postMessage(next, 'batch' in next ? [next.batch.rows.buffer] : [])
})
