import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { CONTACT_JOB_BATCH, createContactJob } from '../../contacts/bulk/contact-job.ts'
import { runContactWrite } from '../../contacts/records/write.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { parseCountryCode, toAlpha2CountryCode } from '../../contacts/values/countries.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import type { JobResource } from '../../jobs/job-schemas.ts'
import { startJob } from '../../jobs/jobs.ts'
import type { JobStepsByType } from '../../jobs/run.ts'
import { normalizePhoneBatch, type PhoneFieldCountries } from './normalization-batch.ts'
import type { NormalizationBody, NormalizationCounts } from './normalization-schemas.ts'
import { loadSegmentAudience, requireSegments } from './segment-audience.ts'

/** Contacts whose numbers are normalised while the caller waits. */
const MAX_SYNC_CONTACTS = 10_000
const ZERO_COUNTS: NormalizationCounts = { normalized: 0, unchanged: 0, invalid: 0 }

/** A segment, and what its caller says of the fields and countries. */
interface NormalizationOrder {
  segment: number
  body: NonNullable<NormalizationBody>
}

interface NormalizationPayload {
  segment: number
  countries: PhoneFieldCountries
}

/** Every phone field with the account's country. */
function listAllPhoneFields({ fields, settings }: ContactShape): PhoneFieldCountries {
  const country = toAlpha2CountryCode(settings.defaultCountry)
  const phoneFields = fields.filter(({ type }) => type === 'phone')
  return Object.fromEntries(phoneFields.map(({ id }) => [id, country ? [country] : []]))
}

/** The requested countries. Throws 400 with every key that is not a phone field and every invalid country. */
function parseCountries(shape: ContactShape, { fields }: NormalizationOrder['body']): PhoneFieldCountries {
  if (fields === undefined) return listAllPhoneFields(shape)
  const faults: ProblemFault[] = []
  const countries: PhoneFieldCountries = {}
  for (const [key, countryCodes] of Object.entries(fields)) {
    const pointer = `/fields/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const field = shape.find(key)
    if (field?.type !== 'phone') faults.push({ pointer, detail: 'is not a phone field' })
    const parsedCodes = countryCodes.map((code) => toAlpha2CountryCode(parseCountryCode(code) ?? ''))
    for (const [position, country] of parsedCodes.entries()) {
      if (!country) faults.push({ pointer: `${pointer}/${position}`, detail: 'is not an ISO 3166 country code' })
    }
    if (field) countries[field.id] = parsedCodes.filter((country) => country !== undefined)
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return countries
}

/** The normalization asked for. Throws notFound for an unknown segment, and 400. */
async function parseOrder(
  db: Db,
  account: AccountId,
  { segment, body }: NormalizationOrder,
): Promise<NormalizationPayload> {
  await requireSegments(db, account, [segment])
  return { segment, countries: parseCountries(await loadContactShape(db, account), body) }
}

/** The members as they are now; undefined when they are too many for one request. */
async function readFewMembers(db: Db, account: AccountId, segment: number, now: number): Promise<number[] | undefined> {
  const memberSelect = await loadSegmentAudience(db, account, { selected: [segment], excluded: [] }, now)
  const { rows } = await sql<{ contact: number }>`
    select contact from (${memberSelect}) m order by contact limit ${MAX_SYNC_CONTACTS + 1}`.execute(db)
  return rows.length > MAX_SYNC_CONTACTS ? undefined : rows.map(({ contact }) => contact)
}

/**
 * Brings the telephone numbers of a segment to E.164, in committed batches, and gives the counts; undefined, with
 * nothing done, when it has more than 10,000 contacts. Throws notFound, and 400 for what is not a phone field or country.
 */
export async function normalizeSegmentPhones(
  db: Db,
  account: AccountId,
  order: NormalizationOrder,
  { clock }: { clock: Clock },
): Promise<NormalizationCounts | undefined> {
  const { segment, countries } = await parseOrder(db, account, order)
  const memberIds = await readFewMembers(db, account, segment, clock.now())
  if (!memberIds) return undefined
  let counts = ZERO_COUNTS
  for (let batchStart = 0; batchStart < memberIds.length; batchStart += CONTACT_JOB_BATCH) {
    const batch = memberIds.slice(batchStart, batchStart + CONTACT_JOB_BATCH)
    counts = await runContactWrite(db, account, (tx, shape) =>
      normalizePhoneBatch(tx, shape, batch, { countries, counts, clock }),
    )
  }
  return counts
}

/** The same as a job, whatever the size. Throws alike. */
export async function queuePhoneNormalization(
  db: Db,
  account: AccountId,
  order: NormalizationOrder,
  { clock }: { clock: Clock },
): Promise<JobResource> {
  const payload = await parseOrder(db, account, order)
  return startJob(db, account, { type: 'segments.normalization', payload }, clock.now())
}

/** The body of the jobs that large normalizations become. */
export function createNormalizationJobs({ clock }: { clock: Clock }): JobStepsByType {
  return {
    'segments.normalization': createContactJob<NormalizationPayload, NormalizationCounts>({
      begin: async (db, account, { segment }) => ({
        contacts: await loadSegmentAudience(db, account, { selected: [segment], excluded: [] }, clock.now()),
        tally: ZERO_COUNTS,
      }),
      batch: (tx, shape, contacts, { payload, tally }) =>
        normalizePhoneBatch(tx, shape, contacts, { countries: payload.countries, counts: tally, clock }),
      result: async (_, counts) => counts,
    }),
  }
}
