import { sql } from 'kysely'
import { type Db, json } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Job } from '../../jobs/job-schemas.ts'
import { startJob } from '../../jobs/jobs.ts'
import type { JobBodies } from '../../jobs/run.ts'
import type { DeletedContact, Selection, SelectionCounts } from '../records/contact-schemas.ts'
import { loadShape } from '../values/stored-shape.ts'
import { contactJob } from './contact-job.ts'
import type { SelectionChange } from './selection-change.ts'
import {
  changeBatch,
  type Deletion,
  deleteBatch,
  noneFound,
  requireCommonPatch,
  type Selected,
  type Selecting,
  select,
  selectDeleted,
} from './selections.ts'

/** What is evaluated by the job alone is read before: who asks learns at once what cannot be. */
async function requireReadable(db: Db, account: AccountId, selection: Selection, request: Selecting): Promise<void> {
  if (selection.type === 'segment' || selection.type === 'search') await select(db, account, selection, request)
}

/** Starts the deletion of a selection. Throws notFound for an unknown segment, 400 for criteria that cannot be read. */
export async function startDeletion(db: Db, account: AccountId, payload: Deletion, request: Selecting): Promise<Job> {
  await requireReadable(db, account, payload.selection, request)
  return startJob(db, account, { type: 'targets.deletion', payload }, request.clock.now())
}

/** Starts a change of a selection. Throws 400 with every bad value, or for a unicity field, as `startDeletion` for its selection. */
export async function startChange(
  db: Db,
  account: AccountId,
  payload: SelectionChange,
  request: Selecting,
): Promise<Job> {
  requireCommonPatch(await loadShape(db, account), payload.fields)
  await requireReadable(db, account, payload.selection, request)
  return startJob(db, account, { type: 'targets.update', payload }, request.clock.now())
}

function selectOf({ contacts }: Selected) {
  return Array.isArray(contacts) ? sql<{ contact: number }>`select unnest(${contacts}::bigint[]) as contact` : contacts
}

async function noteDeleted(tx: Db, job: string, deleted: readonly DeletedContact[]): Promise<void> {
  await sql`
    update job_contacts c set shown = n.shown
    from unnest(${deleted.map(({ id }) => Number.parseInt(id, 36))}::bigint[], ${deleted.map(json)}::json[]) as n(contact, shown)
    where c.job = ${job} and c.contact = n.contact`.execute(tx)
}

async function deletedOf(tx: Db, job: string): Promise<DeletedContact[]> {
  const { rows } = await sql<{ shown: DeletedContact }>`
    select shown from job_contacts where job = ${job} and shown is not null order by contact`.execute(tx)
  return rows.map(({ shown }) => shown)
}

/** The bodies of the jobs that selections become with `Prefer: respond-async`. */
export function selectionJobs(selecting: Selecting): JobBodies {
  return {
    'targets.deletion': contactJob<Deletion, { found: number }>({
      begin: async (tx, account, payload) => ({
        contacts: selectOf(await selectDeleted(tx, account, payload, selecting)),
        tally: { found: 0 },
      }),
      batch: async (tx, shape, contacts, { job, payload, tally }) => {
        const { found, deleted } = await deleteBatch(tx, shape, contacts, { ...selecting, erase: payload.erase })
        // The result is kept a month: of erased contacts it holds the id.
        const shown = payload.erase ? deleted.map(({ id }) => ({ id, unicity: [] })) : deleted
        if (payload.listed) await noteDeleted(tx, job, shown)
        return { found: tally.found + found }
      },
      result: async (tx, { found }, { job, payload }) => {
        if (found === 0) throw noneFound()
        return payload.listed ? deletedOf(tx, job) : null
      },
    }),
    'targets.update': contactJob<SelectionChange, SelectionCounts>({
      begin: async (tx, account, { selection }) => {
        const selected = await select(tx, account, selection, selecting)
        return {
          contacts: selectOf(selected),
          tally: { matched: 0, updated: 0, unchanged: 0, unknown: selected.unknown },
        }
      },
      batch: (tx, shape, contacts, { payload, tally }) =>
        changeBatch(tx, shape, contacts, { ...selecting, fields: payload.fields, counts: tally }),
      result: async (_, counts) => {
        if (counts.matched === 0) throw noneFound()
        return counts
      },
    }),
  }
}
