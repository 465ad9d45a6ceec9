import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import type { CriteriaEvaluationScope } from '../../segments/criteria/definitions.ts'
import { loadMatchingContacts, loadSegmentAudience } from '../../segments/members/audience.ts'
import type { EffectAnswers, NodeEffectRequest } from '../stepping/effect-handlers.ts'
import { StepFailure } from '../stepping/step.ts'

type MatchRequest = NodeEffectRequest<'match'>

/** Who a node looks for: contacts of one account and one segment, or of the same criteria, are looked up together. */
const groupOf = ({ visit, asked }: MatchRequest): string =>
  JSON.stringify([visit.account, 'segment' in asked ? asked.segment : [visit.workflow, visit.node, asked.criteria]])

async function isKnown(db: Db, account: AccountId, segment: number): Promise<boolean> {
  const { rows } = await sql`select from segments where account = ${account} and id = ${segment}`.execute(db)
  return rows.length > 0
}

async function matching(db: Db, [first]: readonly MatchRequest[], asking: CriteriaEvaluationScope) {
  const { visit, asked } = first!
  if ('segment' in asked) {
    if (!(await isKnown(db, visit.account, asked.segment)))
      throw new StepFailure('segment', `There is no segment ${asked.segment}.`)
    return loadSegmentAudience(db, visit.account, { selected: [asked.segment], excluded: [] }, asking)
  }
  const { criteria } = await parseCriteria(db, visit.account, asked.criteria, '')
  return loadMatchingContacts(db, visit.account, criteria, asking)
}

async function membersOf(
  db: Db,
  group: readonly MatchRequest[],
  now: number,
): Promise<ReadonlySet<number> | StepFailure> {
  try {
    const contacts = group.flatMap(({ visit }) => visit.contact ?? [])
    const members = await matching(db, group, { now, among: contacts })
    const { rows } = await sql<{ contact: number }>`
      select contact from (${members}) m where contact = any(${contacts}::bigint[])`.execute(db)
    return new Set(rows.map(({ contact }) => contact))
  } catch (error) {
    if (error instanceof StepFailure) return error
    throw error
  }
}

/** Whether each contact is in the segment, or fits the criteria, now. */
export async function matchRunContacts(db: Db, requests: readonly MatchRequest[], now: number): EffectAnswers {
  const answers = new Map<MatchRequest, boolean | StepFailure>()
  for (const group of Map.groupBy(requests, groupOf).values()) {
    const members = await membersOf(db, group, now)
    for (const one of group)
      answers.set(one, members instanceof StepFailure ? members : members.has(one.visit.contact ?? 0))
  }
  return requests.map((one) => answers.get(one))
}
