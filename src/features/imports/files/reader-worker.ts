import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '../../../lib/errors/problem.ts'
import { type ImportReadTask, type LineBatch, readLineBatches } from './reader.ts'

/** The answer of the thread to each message: the next batch, the end, or why the file cannot be read. */
export type ReaderThreadReply = { batch: LineBatch } | { done: true } | { problem: { kind: string; detail: string } }

const task: ImportReadTask = workerData
const batches = readLineBatches(task)

async function readNextReply(): Promise<ReaderThreadReply> {
  try {
    const nextBatch = await batches.next()
    return nextBatch.done ? { done: true } : { batch: nextBatch.value }
  } catch (error) {
    if (error instanceof Problem) return { problem: { kind: error.kind, detail: error.detail } }
    throw error
  }
}

parentPort?.on('message', async () => {
  const reply = await readNextReply()
  // The rows are transferred: neither thread copies them.
  parentPort?.postMessage(reply, 'batch' in reply ? [reply.batch.rows.buffer] : [])
})
