import { sql } from 'kysely'
import { buildPreparedPrefix } from '../../../database/connection/connect.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../stepping/effect-handlers.ts'

const keyOf = ({ visit }: NodeEffectRequest<'sample'>): string =>
  JSON.stringify([visit.account, visit.workflow, visit.node])

/** Whether each visit is one of the first of its node: never more are taken than the count says. */
export async function countSampleVisits(
  { tx }: RunStepTransaction,
  requests: readonly NodeEffectRequest<'sample'>[],
): EffectAnswers {
  const groups = [...Map.groupBy(requests, keyOf)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const answers = new Map<NodeEffectRequest<'sample'>, boolean>()
  for (const [, group] of groups) {
    const { visit, asked } = group[0]!
    const { rows } = await sql<{ before: number }>`${buildPreparedPrefix('take-workflow-samples')}
      insert into workflow_samples as s (account, workflow, node, taken)
      values (${visit.account}, ${visit.workflow}, ${visit.node}, least(${group.length}::integer, ${asked.count}::integer))
      on conflict (account, workflow, node) do update
        set taken = greatest(s.taken, least(s.taken + ${group.length}::integer, ${asked.count}::integer))
      returning coalesce(old.taken, 0) as before`.execute(tx)
    const before = rows[0]!.before
    for (const [index, one] of group.entries()) answers.set(one, before + index < asked.count)
  }
  return requests.map((one) => answers.get(one))
}
