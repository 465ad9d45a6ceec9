import { apiClient } from './client.ts'

const POLL_INTERVAL_MS = 1000

/** Receives the progress of a job. */
export type JobProgress = (done: number, total: number) => void

/** The result of a job, once it is done; throws what it failed by. */
export async function waitForJobResult<Result>(id: string, progress?: JobProgress): Promise<Result> {
  for (;;) {
    const { state, result, error, progress: far } = await apiClient.getJob({ path: { id } })
    progress?.(far.done, far.total ?? 0)
    if (state === 'done') return result as unknown as Result
    if (state === 'failed') throw new Error(String((error as { detail?: string } | null)?.detail ?? state))
    await new Promise((done) => setTimeout(done, POLL_INTERVAL_MS))
  }
}

/** The id of the job that an answer of 202 names. */
export const parseJobId = (response: Response): string =>
  (response.headers.get('location') ?? '').split('/').at(-1) ?? ''
