import { sql } from 'kysely'
import { type Db, prepared } from '../../../database/connection/connect.ts'
import type { EngineContext } from '../engine/context.ts'
import type { VersionKey } from '../engine/ready-definition.ts'
import { zonesOf } from '../engine/run-contacts.ts'
import type { Run } from './run.ts'
import type { Surroundings } from './visits.ts'

/** The versions that workflows have now, by account and workflow. */
async function currentVersions(db: Db, runs: readonly Run[]): Promise<Map<string, VersionKey>> {
  const keys = new Map(runs.map((run) => [`${run.account} ${run.workflow}`, run]))
  const own = [...keys.values()]
  const { rows } = await sql<VersionKey>`${prepared('versions-of-surroundings')}
    select w.account, w.id as workflow, w.version
    from unnest(${own.map(({ account }) => account)}::integer[], ${own.map(({ workflow }) => workflow)}::integer[]) as k (account, id)
    join workflows w using (account, id)`.execute(db)
  return new Map(rows.map((row) => [`${row.account} ${row.workflow}`, row]))
}

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
  const current = await currentVersions(db, runs)
  const definitionOf = await definitions.load(db, [...runs, ...current.values()])
  const zoned = runs.filter((run) => run.contact !== null && definitionOf(run)?.settings.timeZoneField != null)
  const read = await contacts(db, zoned)
  const byRun = new Map(zoned.map(({ id }, index) => [id, read[index] ?? null]))
  return {
    now,
    accountOf: (account) => accounts.describe(account),
    zonesOf: ({ run, definition }) => zonesOf(definition, byRun.get(run.id) ?? null),
    currentOf({ run, definition }) {
      const key = current.get(`${run.account} ${run.workflow}`)
      return (key && definitionOf(key)) ?? definition
    },
  }
}
