import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { readIntId } from '../../lib/ids.ts'
import { LONGEST_STANDSTILL_MS, shelvesFolder } from './uploads.ts'

/** What is put on a shelf: files, uploads under way, and what is unpacked for a run. */
const OURS = /^(?:[0-9A-F]{10}(?:\.part)?|\d+\.unpacked)$/

/** Something on the shelf of an import, or with an empty name the shelf itself. */
interface Found {
  import: number
  name: string
  path: string
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Everything on all shelves that nobody has written to since. */
async function* standingStill(root: string, since: number): AsyncGenerator<Found> {
  for (const account of await namesIn(root)) {
    for (const shelf of await namesIn(join(root, account))) {
      const id = readIntId(shelf)
      if (id === undefined) continue
      const folder = join(root, account, shelf)
      for (const name of ['', ...(await namesIn(folder)).filter((found) => OURS.test(found))]) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        if (found && found.mtimeMs < since) yield { import: id, name, path }
      }
    }
  }
}

/** Of what stands still, what nothing speaks of: shelves without an import, and files of no upload and no run under way. */
async function forgotten(db: Db, still: readonly Found[]): Promise<Found[]> {
  const { rows } = await sql<{ place: number }>`
    select f.place from unnest(${still.map((found) => found.import)}::integer[], ${still.map(({ name }) => name)}::text[])
      with ordinality as f(import, name, place)
    where case when f.name = '' then not exists (select from imports i where i.id = f.import)
      else not exists (select from import_uploads u where u.import = f.import and u.path = f.name)
        and not exists (
          select from import_executions e
          where e.import = f.import and e.state = 0 and f.name = e.id || '.unpacked') end`.execute(db)
  return rows.flatMap(({ place }) => still[place - 1] ?? [])
}

/**
 * Removes what processes that died left of imports: uploads that never ended, files that no import was given, what was
 * unpacked for a run, and the shelves of imports that are gone. What was written to within the hour is left alone.
 */
export async function sweepShelves({ db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>): Promise<void> {
  const still = standingStill(shelvesFolder(config.dataDir), clock.now() - LONGEST_STANDSTILL_MS)
  for (const { path } of await forgotten(db, await Array.fromAsync(still))) {
    await rm(path, { recursive: true, force: true })
  }
}
