import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { maskAddressesInText } from '../../../lib/text/masking.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import type { ContactPorts } from '../records/ports.ts'
import { loadContactShape } from '../values/stored-shape.ts'
import { toPeriodBound } from '../values/timestamps.ts'
import { bounceCodes, toBounceName } from './bounce-codes.ts'
import { type BounceCondition, type BounceQueryTerm, createBounceQueryFault, parseBounceQuery } from './bounce-query.ts'
import type { BouncedContact } from './bounce-schemas.ts'

/** The members of the segments that a query names. */
type SegmentMembers = ReadonlyMap<number, RawBuilder<{ contact: number }>>

/** The condition of a term on `bounce_flags b` and its contact `c`. */
function buildTermCondition(bounceCondition: BounceCondition, members: SegmentMembers): RawBuilder<unknown> {
  switch (bounceCondition.type) {
    case 'field':
      return sql`b.field = ${bounceCondition.id}`
    case 'codes':
      return sql`b.code = any(${bounceCondition.codes}::smallint[])`
    case 'after':
      return sql`b.flagged_at >= coalesce(${toPeriodBound(bounceCondition.ms)}::timestamptz, '-infinity')`
    case 'before':
      return sql`b.flagged_at < coalesce(${toPeriodBound(bounceCondition.ms)}::timestamptz, 'infinity')`
    case 'contact':
      return sql`b.contact = ${bounceCondition.id}`
    case 'segment':
      return sql`b.contact in (${members.get(bounceCondition.id) ?? sql`select null::bigint`})`
    case 'text':
      if (bounceCondition.whole) return sql`lower(c.fields->>b.field::text) = lower(${bounceCondition.text})`
      return sql`strpos(lower(concat_ws(E'\n', c.fields->>b.field::text, b.reason)), lower(${bounceCondition.text})) > 0`
  }
}

function buildQueryCondition(
  terms: readonly BounceQueryTerm[],
  { start, end }: TimePeriod,
  members: SegmentMembers,
): RawBuilder<unknown> {
  const termConditions = terms.map((term) => {
    const termCondition = buildTermCondition(term.asked, members)
    return term.negated ? sql`not ${termCondition}` : termCondition
  })
  if (start !== undefined) termConditions.push(buildTermCondition({ type: 'after', ms: start }, members))
  if (end !== undefined) termConditions.push(buildTermCondition({ type: 'before', ms: end }, members))
  // An address known to be good is no bounce: it is shown to those who ask for types.
  if (!terms.some((term) => term.asked.type === 'codes'))
    termConditions.push(sql`b.code <> ${bounceCodes.validated.code}`)
  return termConditions.length === 0 ? sql`true` : sql.join(termConditions, sql` and `)
}

/** The members of each segment asked for. Throws 400 with the position of one that does not exist. */
async function loadSegmentMembers(
  db: Db,
  account: AccountId,
  terms: readonly BounceQueryTerm[],
  { membersOf }: ContactPorts,
): Promise<SegmentMembers> {
  const segmentPositions = new Map(
    terms.flatMap(({ asked: queriedCondition, position }) =>
      queriedCondition.type === 'segment' ? [[queriedCondition.id, position]] : [],
    ),
  )
  const memberSelects = [...segmentPositions].map(async ([id, position]) => {
    try {
      return [id, await membersOf(db, account, [id])] as const
    } catch (error) {
      throw error instanceof Problem && error.status === 404
        ? createBounceQueryFault(position, `there is no segment ${id}`)
        : error
    }
  })
  return new Map(await Promise.all(memberSelects))
}

/** Terms of people who see addresses masked: a whole address finds, and parts of one would tell it. Throws 403 for these. */
function requireWholeAddresses(terms: readonly BounceQueryTerm[]): BounceQueryTerm[] {
  return terms.map((term) => {
    const { asked: queriedCondition } = term
    if (queriedCondition.type !== 'text') return term
    if (maskAddressesInText(queriedCondition.text) !== queriedCondition.text)
      return { ...term, asked: { ...queriedCondition, whole: true } }
    throw new Problem(
      403,
      'masked',
      'Addresses and numbers are masked for you. Search for a complete address or number.',
    )
  })
}

/**
 * Contacts with those of their flags which a query (its language: parseBounceQuery) and a period match, by ascending
 * id. Throws 400 with the position of what cannot be read, or names nothing that exists. `isMasked`: 403 for parts of addresses.
 */
export async function* searchBounces(
  db: Db,
  account: AccountId,
  { query, period, ports, isMasked }: { query: string; period: TimePeriod; ports: ContactPorts; isMasked: boolean },
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<BouncedContact> {
  const shape = await loadContactShape(db, account)
  const parsedTerms = parseBounceQuery(query, shape.find)
  const terms = isMasked ? requireWholeAddresses(parsedTerms) : parsedTerms
  const segmentMembers = await loadSegmentMembers(db, account, terms, ports)
  const flaggedContacts = sql<{
    contact: number
    flags: { code: number; field: number; reason: string; at: string }[]
  }>`
    select b.contact, json_agg(json_build_object('code', b.code, 'field', b.field, 'reason', b.reason, 'at', b.flagged_at)
      order by b.field) as flags
    from bounce_flags b join contacts c on c.account = b.account and c.id = b.contact
    where b.account = ${account} and b.contact > ${page.after ?? 0} and ${buildQueryCondition(terms, period, segmentMembers)}
    group by b.contact order by b.contact limit ${page.limit ?? null}`
  for await (const { contact, flags: contactFlags } of streamRows(db, flaggedContacts)) {
    const bounces = contactFlags.map(({ code, field, reason, at }) => ({
      type: toBounceName(code),
      fieldId: field,
      detail: { message: reason },
      timestamp: new Date(at).toISOString(),
    }))
    yield { id: formatContactId(contact), bounces }
  }
}
