import { sql } from 'kysely'
import { buildPreparedPrefix } from '../../../database/connection/connect.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'

const formatNodeKey = ({ visit }: NodeEffectRequest<'sample'>): string =>
  JSON.stringify([visit.account, visit.workflow, visit.node])

/** Decides for each visit whether it is among the first of its node. Never takes more visits than the configured count. */
export async function countSampleVisits(
  { tx }: RunStepTransaction,
  requests: readonly NodeEffectRequest<'sample'>[],
): EffectAnswers {
  const groups = [...Map.groupBy(requests, formatNodeKey)].toSorted(([leftKey], [rightKey]) =>
    leftKey < rightKey ? -1 : 1,
  )
  const resultByRequest = new Map<NodeEffectRequest<'sample'>, boolean>()
  for (const [, group] of groups) {
    const { visit, asked: effect } = group[0]!
    const { rows } = await sql<{ before: number }>`${buildPreparedPrefix('take-workflow-samples')}
      insert into workflow_samples as s (account, workflow, node, taken)
      values (${visit.account}, ${visit.workflow}, ${visit.node}, least(${group.length}::integer, ${effect.count}::integer))
      on conflict (account, workflow, node) do update
        set taken = greatest(s.taken, least(s.taken + ${group.length}::integer, ${effect.count}::integer))
      returning coalesce(old.taken, 0) as before`.execute(tx)
    const countedBefore = rows[0]!.before
    for (const [index, leftKey] of group.entries()) resultByRequest.set(leftKey, countedBefore + index < effect.count)
  }
  return requests.map((leftKey) => resultByRequest.get(leftKey))
}
