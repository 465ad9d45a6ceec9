import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { JobResource } from '../../jobs/job-schemas.ts'
import { startJob } from '../../jobs/jobs.ts'
import type { JobStepsByType } from '../../jobs/run.ts'
import type { ContactSelection, DeletedContact, SelectionCounts } from '../records/contact-schemas.ts'
import { loadContactShape } from '../values/stored-shape.ts'
import { createContactJob } from './contact-job.ts'
import type { SelectionChange } from './selection-change.ts'
import {
  type ContactSelectionDeletion,
  createEmptySelectionProblem,
  deleteContactBatch,
  type ResolvedSelection,
  requireCommonPatch,
  resolveDeletionTargets,
  resolveSelection,
  type SelectionWriteContext,
  updateContactBatch,
} from './selections.ts'

/** Parses in advance the criteria that only the job evaluates, so that the caller gets an error for unreadable ones at once. */
async function requireReadableSelection(
  db: Db,
  account: AccountId,
  selection: ContactSelection,
  request: SelectionWriteContext,
): Promise<void> {
  if (selection.type === 'segment' || selection.type === 'search')
    await resolveSelection(db, account, selection, request)
}

/** Starts the deletion of a selection. Throws notFound for an unknown segment, 400 for criteria that cannot be read. */
export async function queueSelectionDeletion(
  db: Db,
  account: AccountId,
  payload: ContactSelectionDeletion,
  request: SelectionWriteContext,
): Promise<JobResource> {
  await requireReadableSelection(db, account, payload.selection, request)
  return startJob(db, account, { type: 'targets.deletion', payload }, request.clock.now())
}

/** Starts a change of a selection. Throws 400 with every bad value, or for a unicity field, as `queueSelectionDeletion` for its selection. */
export async function queueSelectionChange(
  db: Db,
  account: AccountId,
  payload: SelectionChange,
  request: SelectionWriteContext,
): Promise<JobResource> {
  requireCommonPatch(await loadContactShape(db, account), payload.fields)
  await requireReadableSelection(db, account, payload.selection, request)
  return startJob(db, account, { type: 'targets.update', payload }, request.clock.now())
}

function selectContactIds({ contacts }: ResolvedSelection) {
  return Array.isArray(contacts) ? sql<{ contact: number }>`select unnest(${contacts}::bigint[]) as contact` : contacts
}

async function storeDeletedContacts(tx: Db, job: string, deleted: readonly DeletedContact[]): Promise<void> {
  await sql`
    update job_contacts c set shown = n.shown
    from unnest(${deleted.map(({ id }) => Number.parseInt(id, 36))}::bigint[], ${deleted.map(toJsonbText)}::json[]) as n(contact, shown)
    where c.job = ${job} and c.contact = n.contact`.execute(tx)
}

async function readDeletedContacts(tx: Db, job: string): Promise<DeletedContact[]> {
  const { rows } = await sql<{ shown: DeletedContact }>`
    select shown from job_contacts where job = ${job} and shown is not null order by contact`.execute(tx)
  return rows.map(({ shown: deletedContact }) => deletedContact)
}

/** The bodies of the jobs that selections become with `Prefer: respond-async`. */
export function createSelectionJobs(selecting: SelectionWriteContext): JobStepsByType {
  return {
    'targets.deletion': createContactJob<ContactSelectionDeletion, { found: number }>({
      begin: async (tx, account, payload) => ({
        contacts: selectContactIds(await resolveDeletionTargets(tx, account, payload, selecting)),
        tally: { found: 0 },
      }),
      batch: async (tx, shape, contacts, { job, payload, tally }) => {
        const { found: foundCount, deleted } = await deleteContactBatch(tx, shape, contacts, {
          ...selecting,
          erase: payload.erase,
        })
        // The result is kept a month: of erased contacts it holds the id.
        const listedContacts = payload.erase ? deleted.map(({ id }) => ({ id, unicity: [] })) : deleted
        if (payload.listed) await storeDeletedContacts(tx, job, listedContacts)
        return { found: tally.found + foundCount }
      },
      result: async (tx, { found: foundCount }, { job, payload }) => {
        if (foundCount === 0) throw createEmptySelectionProblem()
        return payload.listed ? readDeletedContacts(tx, job) : null
      },
    }),
    'targets.update': createContactJob<SelectionChange, SelectionCounts>({
      begin: async (tx, account, { selection }) => {
        const resolvedSelection = await resolveSelection(tx, account, selection, selecting)
        return {
          contacts: selectContactIds(resolvedSelection),
          tally: { matched: 0, updated: 0, unchanged: 0, unknown: resolvedSelection.unknown },
        }
      },
      batch: (tx, shape, contacts, { payload, tally }) =>
        updateContactBatch(tx, shape, contacts, { ...selecting, fields: payload.fields, counts: tally }),
      result: async (_, counts) => {
        if (counts.matched === 0) throw createEmptySelectionProblem()
        return counts
      },
    }),
  }
}
