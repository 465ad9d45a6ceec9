import { sql } from 'kysely'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { overloadedProblem } from '../../../lib/errors/problem.ts'
import { checkContactEligibility } from '../../../sending/plan/check-eligibility.ts'
import { forecastPressureStops } from '../../pressure/forecast.ts'
import { resolveMessagePressure } from '../../pressure/message-settings.ts'
import { loadSegmentAudience, requireSegments, type SegmentAudience } from '../../segments/members/segment-audience.ts'
import type { AudienceReachability } from './reach-schemas.ts'

/** Maximum number of contacts checked one by one: a sample of about this size represents a larger audience. */
const MAX_CHECKED_CONTACTS = 5_000
const CHECK_BATCH_SIZE = 5000
/** Members of segments are looked for as long. */
const MAX_QUERY_MS = 20_000
/** Maximum number of segments whose overlaps are reported. */
const MAX_COMPARED_SEGMENTS = 30

type AudienceContext = Pick<ServiceContext, 'db' | 'clock'>

/** The content to send and its segments. */
export interface AudienceSelection {
  account: AccountId
  source: ContentVersionSource
  selection: SegmentAudience
  isCampaign: boolean
}

/** Number of contacts that are in exactly these selected segments: each segment is a bit of the mask. */
interface SegmentCombination {
  mask: number
  n: number
}

/** The selected contacts by the segments they are in. */
async function countSegmentCombinations(
  tx: Db,
  account: AccountId,
  segments: readonly number[],
  now: number,
): Promise<SegmentCombination[]> {
  if (segments.length <= 1) {
    const segmentContacts = await loadSegmentAudience(tx, account, { selected: segments, excluded: [] }, now)
    const { rows } = await sql<SegmentCombination>`select 1 as mask, count(*) as n from (${segmentContacts}) m`.execute(
      tx,
    )
    return rows
  }
  const members = await Promise.all(
    segments.map(async (segment, place) => {
      const segmentContacts = await loadSegmentAudience(tx, account, { selected: [segment], excluded: [] }, now)
      return sql`select m.contact, ${sql.lit(2 ** Math.min(place, MAX_COMPARED_SEGMENTS))}::bigint as bit from (${segmentContacts}) m`
    }),
  )
  const { rows } = await sql<SegmentCombination>`
    select mask, count(*) as n from (
      select contact, bit_or(bit) as mask from (${sql.join(members, sql` union all `)}) b group by contact) c
    group by mask`.execute(tx)
  return rows
}

function computeOverlaps(
  parts: readonly SegmentCombination[],
  segments: readonly number[],
): AudienceReachability['overlaps'] {
  const comparedSegments = segments.slice(0, MAX_COMPARED_SEGMENTS)
  return comparedSegments.flatMap((firstSegment, place) =>
    comparedSegments.slice(place + 1).flatMap((otherSegment, distance) => {
      const bothMask = 2 ** place + 2 ** (place + 1 + distance)
      const count = parts.reduce((sum, { mask, n }) => ((mask & bothMask) === bothMask ? sum + n : sum), 0)
      return count === 0 ? [] : [{ segments: [firstSegment, otherSegment], count }]
    }),
  )
}

/** The counted audience, and the contacts of it that are checked. */
interface FoundAudience {
  parts: SegmentCombination[]
  net: number
  judged: number[]
}

/** Finds the audience, and of a large one a part: always the same contacts, whatever their order. */
async function findAudience(tx: Db, { account, selection }: AudienceSelection, now: number): Promise<FoundAudience> {
  await sql`select set_config('statement_timeout', ${String(MAX_QUERY_MS)}, true)`.execute(tx)
  const parts = await countSegmentCombinations(tx, account, selection.selected, now)
  const selected = parts.reduce((sum, { n }) => sum + n, 0)
  const sampleInterval = Math.max(1, Math.ceil(selected / MAX_CHECKED_CONTACTS))
  const audience = await loadSegmentAudience(tx, account, selection, now)
  const { rows } = await sql<{ net: number; judged: number[] | null }>`
    select count(*) as net,
      array_agg(contact order by contact) filter (where (hashint8(contact) & 2147483647) % ${sampleInterval}::integer = 0) as judged
    from (${audience}) a`.execute(tx)
  return { parts, net: rows[0]?.net ?? 0, judged: rows[0]?.judged ?? [] }
}

/** Checks the sampled contacts: counts the reasons, and the messages that pressure would stop. */
async function checkSample(
  context: AudienceContext,
  { account, source, isCampaign }: AudienceSelection,
  contacts: readonly number[],
): Promise<{ cannot: Map<string, number>; stopped: number }> {
  const { db, clock } = context
  const { purpose, pressure = {} } = source.settings
  const forecastQuery = {
    account,
    channel: source.channel,
    purpose,
    pressure: resolveMessagePressure(pressure, purpose),
    now: clock.now(),
  }
  const exclusionCounts = new Map<string, number>()
  let stoppedCount = 0
  for (let batchStart = 0; batchStart < contacts.length; batchStart += CHECK_BATCH_SIZE) {
    const batch = contacts.slice(batchStart, batchStart + CHECK_BATCH_SIZE)
    const checkedContacts = await checkContactEligibility(context, { account, source, contacts: batch, isCampaign })
    for (const { exclusions } of checkedContacts) {
      const type = exclusions[0]?.type
      if (type !== undefined) exclusionCounts.set(type, (exclusionCounts.get(type) ?? 0) + 1)
    }
    const sendable = checkedContacts.filter(({ exclusions }) => exclusions.length === 0)
    stoppedCount += (
      await forecastPressureStops(
        db,
        forecastQuery,
        sendable.map(({ contact }) => contact),
      )
    ).size
  }
  return { cannot: exclusionCounts, stopped: stoppedCount }
}

/**
 * Computes the audience of a message sent now: the number of selected and excluded contacts, those it cannot be sent to with the reasons,
 * and those that marketing pressure would stop. Nothing is written. Throws notFound (segment), 503 if it takes too long.
 */
export async function readAudienceReach(
  context: AudienceContext,
  audienceSelection: AudienceSelection,
): Promise<AudienceReachability> {
  const { db, clock } = context
  const { account, selection } = audienceSelection
  const now = clock.now()
  await requireSegments(db, account, [...selection.selected, ...selection.excluded])
  const {
    parts,
    net,
    judged: sampledContacts,
  } = await inTransaction(db, (tx) => findAudience(tx, audienceSelection, now)).catch((error) => {
    throw isStatementTimeout(error)
      ? overloadedProblem('This audience takes too long to compute. Choose narrower segments.')
      : error
  })
  const exact = sampledContacts.length === net
  // A sample does not show which contact has an address first.
  const { cannot: exclusionCounts, stopped: stoppedCount } = await checkSample(
    context,
    { ...audienceSelection, isCampaign: audienceSelection.isCampaign && exact },
    sampledContacts,
  )
  const scaleToAudience = (n: number) =>
    sampledContacts.length === 0 ? 0 : Math.round((n * net) / sampledContacts.length)
  const selected = parts.reduce((sum, { n }) => sum + n, 0)
  return {
    selected,
    excluded: selected - net,
    net,
    overlaps: computeOverlaps(parts, selection.selected),
    cannot: [...exclusionCounts]
      .map(([type, n]) => ({ type, count: scaleToAudience(n) }))
      .sort((a, b) => b.count - a.count),
    pressure: { stopped: scaleToAudience(stoppedCount) },
    exact,
    at: new Date(now).toISOString(),
  }
}
