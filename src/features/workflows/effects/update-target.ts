import type { AccountId } from '../../../lib/account.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/turns.ts'
import type { Problem } from '../../../lib/errors/problem.ts'
import { updateContacts } from '../../contacts/bulk/own-changes.ts'
import type { FlatMap } from '../../contacts/records/contact-schemas.ts'
import type { ContactShapeLoader } from '../../contacts/values/stored-shape.ts'
import type { NoticeCause } from '../../notices/notices.ts'
import { findSegmentProblem } from '../../script-host/writes/write-members.ts'
import { lockSegmentTypes, moveSegmentMembers, type SegmentMemberMove } from '../../segments/members/member-moves.ts'
import type {
  EffectAnswers,
  EffectHandlers,
  NodeEffectRequest,
  RunStepTransaction,
} from '../stepping/effect-handlers.ts'
import { StepFailure } from '../stepping/step.ts'

type Update = NodeEffectRequest<'updateTarget'>

const causeOf = ({ draft, visit }: Update): NoticeCause => ({ stamp: visit.stamp, depth: draft.run.depth + 1 })

/** What the interface would answer with 400, 404 or 409 is for good. */
function failureOf({ status, kind, detail }: Problem): StepFailure {
  if (status === 404) return new StepFailure('no receiver', 'The contact is not there any more.')
  return new StepFailure(status === 400 ? 'invalid value' : kind, detail)
}

function segmentFailure({ asked }: Update, types: ReadonlyMap<number, 'static' | 'dynamic'>): StepFailure | null {
  const [problem] = [...asked.add, ...asked.remove].flatMap((id) => findSegmentProblem(id, types) ?? [])
  return problem ? new StepFailure(problem.status === 404 ? 'segment' : problem.kind, problem.detail) : null
}

/** Does updates of one account in which no contact is named twice; gives what failed. */
async function updateTogether(
  { tx, now, shapes }: Pick<RunStepTransaction, 'tx' | 'now'> & { shapes: ContactShapeLoader },
  account: AccountId,
  updates: readonly Update[],
): Promise<[Update, StepFailure | null][]> {
  const types = await lockSegmentTypes(
    tx,
    account,
    updates.flatMap(({ asked }) => [...asked.add, ...asked.remove]),
  )
  const failures = new Map(updates.map((one) => [one, segmentFailure(one, types)]))
  const good = updates.filter((one) => failures.get(one) === null)
  const refusals = await updateContacts(
    tx,
    account,
    good.map((one) => ({ contact: one.visit.contact!, body: one.asked.fields as FlatMap, cause: causeOf(one) })),
    { now: new Date(now), shapes },
  )
  for (const [index, one] of good.entries()) {
    const refusal = refusals[index]
    if (refusal) failures.set(one, failureOf(refusal))
  }
  const done = good.filter((one) => failures.get(one) === null)
  const movesOf = (part: 'add' | 'remove'): SegmentMemberMove[] =>
    done.flatMap((one) =>
      one.asked[part].map((segment) => ({ segment, contact: one.visit.contact!, cause: causeOf(one) })),
    )
  await moveSegmentMembers(tx, account, { entering: movesOf('add'), leaving: movesOf('remove') })
  return [...failures]
}

/** Writes fields and memberships of the contacts of runs; what is refused fails the step of its own run alone. */
async function updateTargets(
  step: Pick<RunStepTransaction, 'tx' | 'now'> & { shapes: ContactShapeLoader },
  requests: readonly Update[],
): EffectAnswers {
  const answers = new Map<Update, StepFailure | null>()
  const accounts = [...Map.groupBy(requests, ({ draft }) => draft.run.account)].toSorted(([a], [b]) => a - b)
  for (const [account, own] of accounts) {
    for (const turn of splitByRepeatedKey(own, ({ visit }) => visit.contact)) {
      for (const [one, failure] of await updateTogether(step, account, turn)) answers.set(one, failure)
    }
  }
  // What nodes read of the contact from now on is what was written.
  for (const { draft } of requests) draft.contact = undefined
  return requests.map((one) => answers.get(one) ?? null)
}

/** Who performs the nodes that write contacts. */
export function createUpdateTargetHandler(
  shapes: ContactShapeLoader,
): NonNullable<EffectHandlers['effects']['updateTarget']> {
  return ({ tx, now }, requests) => updateTargets({ tx, now, shapes }, requests)
}
