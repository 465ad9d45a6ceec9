import { zonesOf } from './contacts.ts'
import type { EngineContext } from './context.ts'
import type { Run } from './run.ts'
import type { Surroundings } from './visits.ts'

/** What runs are performed in: their accounts, and the zones of their contacts where workflows go by them. */
export async function surroundingsOf(
  { db, accounts, contacts, definitions }: Pick<EngineContext, 'db' | 'accounts' | 'contacts' | 'definitions'>,
  runs: readonly Run[],
  now: number,
): Promise<Surroundings> {
  await accounts.load(
    db,
    runs.map(({ account }) => account),
  )
  const definitionOf = await definitions.load(db, runs)
  const zoned = runs.filter((run) => run.contact !== null && definitionOf(run)?.settings.timeZoneField != null)
  const read = await contacts(db, zoned)
  const byRun = new Map(zoned.map(({ id }, index) => [id, read[index] ?? null]))
  return {
    now,
    accountOf: (account) => accounts.describe(account),
    zonesOf: ({ run, definition }) => zonesOf(definition, byRun.get(run.id) ?? null),
  }
}
