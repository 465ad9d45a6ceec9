import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'

/** Previews that one caller has at a time. */
const MAX_CONCURRENT_PREVIEWS = 2

/** A preview that is being made. */
export interface RunningPreview {
  /** Runs statements of a transaction that end when the preview is cancelled. */
  cancellable<T>(tx: Db, work: () => Promise<T>): Promise<T>
  /** Throws conflict `preview-replaced` once it is cancelled. */
  throwIfCancelled(): void
}

interface PreviewEntry extends RunningPreview {
  cancel(): void
}

function createPreviewEntry(db: Db): PreviewEntry {
  /** Connections whose statements are this preview's, by their process in the database. */
  const processes = new Set<number>()
  let isCancelled = false
  let cancelling: Promise<unknown> = Promise.resolve()

  function throwIfCancelled(): void {
    if (isCancelled) throw conflictProblem('preview-replaced', 'A later preview replaced this one.')
  }

  async function cancelAll(): Promise<void> {
    await sql`select pg_cancel_backend(pid) from unnest(${[...processes]}::integer[]) as p (pid)`.execute(db)
  }

  return {
    throwIfCancelled,
    cancel() {
      isCancelled = true
      if (processes.size > 0) cancelling = cancelAll().catch(() => undefined)
    },
    async cancellable(tx, work) {
      throwIfCancelled()
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      const backendPid = rows[0]?.pid ?? 0
      throwIfCancelled()
      processes.add(backendPid)
      try {
        return await work()
      } finally {
        processes.delete(backendPid)
        // Its connection is another's afterwards, whose statement must not be the one that ends.
        await cancelling
      }
    },
  }
}

/** Gives each caller two previews at a time: a third one cancels the oldest. Of one process. */
export function createPreviewLimiter(
  db: Db,
): <T>(caller: string, work: (running: RunningPreview) => Promise<T>) => Promise<T> {
  const entriesByCaller = new Map<string, PreviewEntry[]>()
  return async (caller, work) => {
    const entry = createPreviewEntry(db)
    const entries = [...(entriesByCaller.get(caller) ?? []), entry]
    for (const excessEntry of entries.splice(0, Math.max(0, entries.length - MAX_CONCURRENT_PREVIEWS)))
      excessEntry.cancel()
    entriesByCaller.set(caller, entries)
    try {
      return await work(entry)
    } finally {
      const remainingEntries = (entriesByCaller.get(caller) ?? []).filter((otherEntry) => otherEntry !== entry)
      if (remainingEntries.length === 0) entriesByCaller.delete(caller)
      else entriesByCaller.set(caller, remainingEntries)
    }
  }
}
