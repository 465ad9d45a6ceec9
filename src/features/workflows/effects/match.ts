import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import type { CriteriaEvaluationScope } from '../../segments/criteria/definitions.ts'
import { loadMatchingContacts, loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import { StepFailure } from '../nodes/node-contract.ts'
import type { EffectAnswers, NodeEffectRequest } from '../run-stepper/effect-handlers.ts'

type MatchRequest = NodeEffectRequest<'match'>

/** Formats the key of a match group. Contacts of one account and one segment, or of the same criteria, are looked up together. */
const formatGroupKey = ({ visit, asked: effect }: MatchRequest): string =>
  JSON.stringify([visit.account, 'segment' in effect ? effect.segment : [visit.workflow, visit.node, effect.criteria]])

async function isKnownSegment(db: Db, account: AccountId, segment: number): Promise<boolean> {
  const { rows } = await sql`select from segments where account = ${account} and id = ${segment}`.execute(db)
  return rows.length > 0
}

async function findMatchingContacts(db: Db, [first]: readonly MatchRequest[], asking: CriteriaEvaluationScope) {
  const { visit, asked: effect } = first!
  if ('segment' in effect) {
    if (!(await isKnownSegment(db, visit.account, effect.segment)))
      throw new StepFailure('segment', `There is no segment ${effect.segment}.`)
    return loadSegmentAudience(db, visit.account, { selected: [effect.segment], excluded: [] }, asking)
  }
  const { criteria } = await parseCriteria(db, visit.account, effect.criteria, '')
  return loadMatchingContacts(db, visit.account, criteria, asking)
}

async function loadGroupMembers(
  db: Db,
  group: readonly MatchRequest[],
  now: number,
): Promise<ReadonlySet<number> | StepFailure> {
  try {
    const contacts = group.flatMap(({ visit }) => visit.contact ?? [])
    const memberIds = await findMatchingContacts(db, group, { now, among: contacts })
    const { rows } = await sql<{ contact: number }>`
      select contact from (${memberIds}) m where contact = any(${contacts}::bigint[])`.execute(db)
    return new Set(rows.map(({ contact }) => contact))
  } catch (error) {
    if (error instanceof StepFailure) return error
    throw error
  }
}

/** Finds whether each contact is currently in the segment or fits the criteria. */
export async function matchRunContacts(db: Db, requests: readonly MatchRequest[], now: number): EffectAnswers {
  const resultByRequest = new Map<MatchRequest, boolean | StepFailure>()
  for (const group of Map.groupBy(requests, formatGroupKey).values()) {
    const memberIds = await loadGroupMembers(db, group, now)
    for (const matchRequest of group)
      resultByRequest.set(
        matchRequest,
        memberIds instanceof StepFailure ? memberIds : memberIds.has(matchRequest.visit.contact ?? 0),
      )
  }
  return requests.map((matchRequest) => resultByRequest.get(matchRequest))
}
