import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { formatContactId, parseContactId } from '../../../lib/ids.ts'
import { sandboxLimits } from '../../../scripting/sandbox/limits.ts'
import type { SandboxRunResult } from '../../../scripting/sandbox/types.ts'

/** Numbers for contacts that scripts make, taken from the sequence in blocks. */
export interface ContactIdBlocks {
  /** As many as a run can use, on the wire. */
  take(): Promise<string[]>
  /**
   * Takes back what a run was given and has not used. One that failed says not how many it used, and may have told somebody: its
   * numbers are never used again.
   */
  giveBack(taken: readonly string[], result: SandboxRunResult): void
}

/** Numbers that are reserved together: those of ten runs. */
const BLOCK = 10 * sandboxLimits.hostCalls

/** Numbers of contacts for the scripts of a process. What is left at its end is never used. */
export function createContactIdBlocks(db: Db): ContactIdBlocks {
  let free: number[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('contacts', 'id')) as id from generate_series(1, ${BLOCK})`.execute(db)
    free.push(...rows.map(({ id }) => id))
  }

  return {
    async take() {
      while (free.length < sandboxLimits.hostCalls) {
        filling ??= fill().finally(() => (filling = undefined))
        await filling
      }
      return free.splice(0, sandboxLimits.hostCalls).map(formatContactId)
    },
    giveBack(taken, result) {
      if (result.type === 'error') return
      const used = result.writes.filter(({ name }) => name === 'targets.create').length
      free = [...taken.slice(used).map((id) => parseContactId(id)!), ...free]
    },
  }
}

/** Ids that no contact has, for runs that only show what they would do: always the same. */
export const previewContactIds: ContactIdBlocks = {
  take: async () => Array.from({ length: sandboxLimits.hostCalls }, (_, n) => formatContactId(36 ** 8 - 1 - n)),
  giveBack: () => {},
}
