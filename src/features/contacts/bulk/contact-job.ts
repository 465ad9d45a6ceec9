import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { JobStep, JobStepOutcome, LockedJob } from '../../jobs/run.ts'
import { runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'

/** Contacts of one transaction. */
export const CONTACT_JOB_BATCH = 5000

/** The steps of a job that processes contacts. `Tally`: its counts so far, as JSON. */
export interface ContactJobSteps<Payload, Tally> {
  /** The contacts to process, a select of one column that is run once, and the initial tally. */
  begin(
    tx: Db,
    account: AccountId,
    payload: Payload,
  ): Promise<{ contacts: RawBuilder<{ contact: number }>; tally: Tally }>
  /** Processes a batch, which also names contacts deleted meanwhile. */
  batch(
    tx: Db,
    shape: ContactShape,
    contacts: readonly number[],
    batchInput: { job: string; payload: Payload; tally: Tally },
  ): Promise<Tally>
  /** The result of the job; a Problem that is thrown ends it as failed. */
  result(tx: Db, tally: Tally, batchInput: { job: string; payload: Payload }): Promise<unknown>
}

interface JobPosition<Tally> {
  /** The last contact processed. */
  after: number
  tally: Tally
}

async function storeJobContacts(tx: Db, { id }: LockedJob, contacts: RawBuilder<{ contact: number }>): Promise<number> {
  // A segment may take long to evaluate, and no client waits for the result.
  await sql`set local statement_timeout = 0`.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    insert into job_contacts (job, contact) select ${id}::uuid, contact from (${contacts}) c`.execute(tx)
  return Number(numAffectedRows)
}

async function readNextContacts(tx: Db, { id }: LockedJob, after: number): Promise<number[]> {
  const { rows } = await sql<{ contact: number }>`
    select contact from job_contacts where job = ${id} and contact > ${after} order by contact limit ${CONTACT_JOB_BATCH}`.execute(
    tx,
  )
  return rows.map(({ contact }) => contact)
}

/** The body of a job that stores the ids of its contacts first and then processes them in batches, by ascending id. */
export function createContactJob<Payload, Tally>(work: ContactJobSteps<Payload, Tally>): JobStep {
  return async (tx, job): Promise<JobStepOutcome> => {
    const payload = job.payload as Payload
    const jobPosition = job.position as JobPosition<Tally> | null
    if (jobPosition === null) {
      const { contacts, tally } = await work.begin(tx, job.account, payload)
      return { position: { after: 0, tally }, done: 0, total: await storeJobContacts(tx, job, contacts) }
    }
    const batchInput = { job: job.id, payload, tally: jobPosition.tally }
    const contactBatch = await readNextContacts(tx, job, jobPosition.after)
    const lastContact = contactBatch.at(-1)
    if (lastContact === undefined) return { result: await work.result(tx, jobPosition.tally, batchInput) }
    const tally = await runContactWrite(tx, job.account, (tx, shape) => work.batch(tx, shape, contactBatch, batchInput))
    return { position: { after: lastContact, tally }, done: job.done + contactBatch.length }
  }
}
