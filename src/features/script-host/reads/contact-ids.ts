import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { contactId, readContactId } from '../../../lib/ids.ts'
import { limits } from '../../../scripting/sandbox/limits.ts'
import type { RunResult } from '../../../scripting/sandbox/types.ts'

/** Numbers for contacts that scripts make, taken from the sequence in blocks. */
export interface ContactIds {
  /** As many as a run can use, on the wire. */
  take(): Promise<string[]>
  /**
   * Takes back what a run was given and has not used. One that failed says not how many it used, and may have told somebody: its
   * numbers are never used again.
   */
  giveBack(taken: readonly string[], result: RunResult): void
}

/** Numbers that are reserved together: those of ten runs. */
const BLOCK = 10 * limits.hostCalls

/** Numbers of contacts for the scripts of a process. What is left at its end is never used. */
export function openContactIds(db: Db): ContactIds {
  let free: number[] = []
  let filling: Promise<void> | undefined

  async function fill(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('contacts', 'id')) as id from generate_series(1, ${BLOCK})`.execute(db)
    free.push(...rows.map(({ id }) => id))
  }

  return {
    async take() {
      while (free.length < limits.hostCalls) {
        filling ??= fill().finally(() => (filling = undefined))
        await filling
      }
      return free.splice(0, limits.hostCalls).map(contactId)
    },
    giveBack(taken, result) {
      if (result.type === 'error') return
      const used = result.writes.filter(({ name }) => name === 'targets.create').length
      free = [...taken.slice(used).map((id) => readContactId(id)!), ...free]
    },
  }
}

/** Ids that no contact has, for runs that only show what they would do: always the same. */
export const shownContactIds: ContactIds = {
  take: async () => Array.from({ length: limits.hostCalls }, (_, n) => contactId(36 ** 8 - 1 - n)),
  giveBack: () => {},
}
