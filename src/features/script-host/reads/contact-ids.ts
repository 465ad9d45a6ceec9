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
   * Returns the ids that a run reserved and did not use. A failed run does not report how many ids it used and may have passed them on:
   * its ids are never reused.
   */
  giveBack(reservedIds: readonly string[], result: SandboxRunResult): void
}

/** Numbers that are reserved together: those of ten runs. */
const ID_BLOCK_SIZE = 10 * sandboxLimits.hostCalls

/** Numbers of contacts for the scripts of a process. What is left at its end is never used. */
export function createContactIdBlocks(db: Db): ContactIdBlocks {
  let freeIds: number[] = []
  let pendingFill: Promise<void> | undefined

  async function fillBlock(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('contacts', 'id')) as id from generate_series(1, ${ID_BLOCK_SIZE})`.execute(
      db,
    )
    freeIds.push(...rows.map(({ id }) => id))
  }

  return {
    async take() {
      while (freeIds.length < sandboxLimits.hostCalls) {
        pendingFill ??= fillBlock().finally(() => (pendingFill = undefined))
        await pendingFill
      }
      return freeIds.splice(0, sandboxLimits.hostCalls).map(formatContactId)
    },
    giveBack(reservedIds, result) {
      if (result.type === 'error') return
      const usedCount = result.writes.filter(({ name }) => name === 'targets.create').length
      freeIds = [...reservedIds.slice(usedCount).map((id) => parseContactId(id)!), ...freeIds]
    },
  }
}

/** Ids that no contact has, for runs that only show what they would do: always the same. */
export const previewContactIds: ContactIdBlocks = {
  take: async () => Array.from({ length: sandboxLimits.hostCalls }, (_, n) => formatContactId(36 ** 8 - 1 - n)),
  giveBack: () => {},
}
