import { sql } from 'kysely'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { overloadedProblem } from '../../../lib/errors/problem.ts'
import { checkContactEligibility } from '../../../sending/plan/eligibility.ts'
import { forecastPressureStops } from '../../pressure/forecast.ts'
import { resolveMessagePressure } from '../../pressure/message-settings.ts'
import { loadSegmentAudience, requireSegments, type SegmentAudience } from '../../segments/members/audience.ts'
import type { AudienceReachability } from './reach-schemas.ts'

/** Contacts that are judged one by one: of a larger audience a part of about so many stands for all. */
const MOST_JUDGED = 5_000
const BATCH = 5000
/** Members of segments are looked for as long. */
const LONGEST_MS = 20_000
/** Segments whose overlaps are told. */
const MOST_COMPARED = 30

type AudienceContext = Pick<ServiceContext, 'db' | 'clock'>

/** What would be sent, and to which segments. */
export interface AudienceSelection {
  account: AccountId
  source: ContentVersionSource
  selection: SegmentAudience
  isCampaign: boolean
}

/** How many contacts are in exactly these selected segments: each of them a bit of the mask. */
interface Part {
  mask: number
  n: number
}

/** The selected contacts by the segments they are in. */
async function partsOf(tx: Db, account: AccountId, segments: readonly number[], now: number): Promise<Part[]> {
  if (segments.length <= 1) {
    const one = await loadSegmentAudience(tx, account, { selected: segments, excluded: [] }, now)
    const { rows } = await sql<Part>`select 1 as mask, count(*) as n from (${one}) m`.execute(tx)
    return rows
  }
  const members = await Promise.all(
    segments.map(async (segment, place) => {
      const one = await loadSegmentAudience(tx, account, { selected: [segment], excluded: [] }, now)
      return sql`select m.contact, ${sql.lit(2 ** Math.min(place, MOST_COMPARED))}::bigint as bit from (${one}) m`
    }),
  )
  const { rows } = await sql<Part>`
    select mask, count(*) as n from (
      select contact, bit_or(bit) as mask from (${sql.join(members, sql` union all `)}) b group by contact) c
    group by mask`.execute(tx)
  return rows
}

function overlapsOf(parts: readonly Part[], segments: readonly number[]): AudienceReachability['overlaps'] {
  const compared = segments.slice(0, MOST_COMPARED)
  return compared.flatMap((one, place) =>
    compared.slice(place + 1).flatMap((other, distance) => {
      const both = 2 ** place + 2 ** (place + 1 + distance)
      const count = parts.reduce((sum, { mask, n }) => ((mask & both) === both ? sum + n : sum), 0)
      return count === 0 ? [] : [{ segments: [one, other], count }]
    }),
  )
}

/** Who is in the audience, counted, and those of them that are judged. */
interface Found {
  parts: Part[]
  net: number
  judged: number[]
}

/** Finds the audience, and of a large one a part: always the same contacts, whatever their order. */
async function findAudience(tx: Db, { account, selection }: AudienceSelection, now: number): Promise<Found> {
  await sql`select set_config('statement_timeout', ${String(LONGEST_MS)}, true)`.execute(tx)
  const parts = await partsOf(tx, account, selection.selected, now)
  const selected = parts.reduce((sum, { n }) => sum + n, 0)
  const every = Math.max(1, Math.ceil(selected / MOST_JUDGED))
  const audience = await loadSegmentAudience(tx, account, selection, now)
  const { rows } = await sql<{ net: number; judged: number[] | null }>`
    select count(*) as net,
      array_agg(contact order by contact) filter (where (hashint8(contact) & 2147483647) % ${every}::integer = 0) as judged
    from (${audience}) a`.execute(tx)
  return { parts, net: rows[0]?.net ?? 0, judged: rows[0]?.judged ?? [] }
}

/** What becomes of those that are judged: reasons, and how many pressure would stop. */
async function judge(
  context: AudienceContext,
  { account, source, isCampaign }: AudienceSelection,
  contacts: readonly number[],
): Promise<{ cannot: Map<string, number>; stopped: number }> {
  const { db, clock } = context
  const { purpose, pressure = {} } = source.settings
  const asked = {
    account,
    channel: source.channel,
    purpose,
    pressure: resolveMessagePressure(pressure, purpose),
    now: clock.now(),
  }
  const cannot = new Map<string, number>()
  let stopped = 0
  for (let start = 0; start < contacts.length; start += BATCH) {
    const some = contacts.slice(start, start + BATCH)
    const judged = await checkContactEligibility(context, { account, source, contacts: some, isCampaign })
    for (const { exclusions } of judged) {
      const type = exclusions[0]?.type
      if (type !== undefined) cannot.set(type, (cannot.get(type) ?? 0) + 1)
    }
    const sendable = judged.filter(({ exclusions }) => exclusions.length === 0)
    stopped += (
      await forecastPressureStops(
        db,
        asked,
        sendable.map(({ contact }) => contact),
      )
    ).size
  }
  return { cannot, stopped }
}

/**
 * Who would get something that is sent now: how many are selected and left out, whom it cannot be sent to and why, and how
 * many marketing pressure would stop. Nothing is written. Throws notFound (segment), 503 when it takes too long.
 */
export async function readAudienceReach(
  context: AudienceContext,
  asked: AudienceSelection,
): Promise<AudienceReachability> {
  const { db, clock } = context
  const { account, selection } = asked
  const now = clock.now()
  await requireSegments(db, account, [...selection.selected, ...selection.excluded])
  const { parts, net, judged } = await inTransaction(db, (tx) => findAudience(tx, asked, now)).catch((error) => {
    throw isStatementTimeout(error)
      ? overloadedProblem('This audience takes too long to find: choose narrower segments.')
      : error
  })
  const exact = judged.length === net
  // Of a part it cannot be told who has an address first.
  const { cannot, stopped } = await judge(context, { ...asked, isCampaign: asked.isCampaign && exact }, judged)
  const scale = (n: number) => (judged.length === 0 ? 0 : Math.round((n * net) / judged.length))
  const selected = parts.reduce((sum, { n }) => sum + n, 0)
  return {
    ...{ selected, excluded: selected - net, net },
    overlaps: overlapsOf(parts, selection.selected),
    cannot: [...cannot].map(([type, n]) => ({ type, count: scale(n) })).sort((a, b) => b.count - a.count),
    pressure: { stopped: scale(stopped) },
    exact,
    at: new Date(now).toISOString(),
  }
}
