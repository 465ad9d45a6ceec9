import type { AccountId } from '../../../lib/account.ts'
import { turnsOf } from '../../../lib/concurrency/turns.ts'
import type { Problem } from '../../../lib/errors/problem.ts'
import { changeContacts } from '../../contacts/bulk/own-changes.ts'
import type { FlatMap } from '../../contacts/records/contact-schemas.ts'
import type { Shapes } from '../../contacts/values/stored-shape.ts'
import type { Cause } from '../../notices/notices.ts'
import { segmentProblem } from '../../script-host/writes/write-members.ts'
import { holdSegments, type MemberMove, moveMembers } from '../../segments/members/member-moves.ts'
import type { Answers, NodeRequest, Performers, StepTransaction } from '../stepping/effect-handlers.ts'
import { StepFailure } from '../stepping/step.ts'

type Update = NodeRequest<'updateTarget'>

const causeOf = ({ draft, visit }: Update): Cause => ({ stamp: visit.stamp, depth: draft.run.depth + 1 })

/** What the interface would answer with 400, 404 or 409 is for good. */
function failureOf({ status, kind, detail }: Problem): StepFailure {
  if (status === 404) return new StepFailure('no receiver', 'The contact is not there any more.')
  return new StepFailure(status === 400 ? 'invalid value' : kind, detail)
}

function segmentFailure({ asked }: Update, types: ReadonlyMap<number, 'static' | 'dynamic'>): StepFailure | null {
  const [problem] = [...asked.add, ...asked.remove].flatMap((id) => segmentProblem(id, types) ?? [])
  return problem ? new StepFailure(problem.status === 404 ? 'segment' : problem.kind, problem.detail) : null
}

/** Does updates of one account in which no contact is named twice; gives what failed. */
async function updateTogether(
  { tx, now, shapes }: Pick<StepTransaction, 'tx' | 'now'> & { shapes: Shapes },
  account: AccountId,
  updates: readonly Update[],
): Promise<[Update, StepFailure | null][]> {
  const types = await holdSegments(
    tx,
    account,
    updates.flatMap(({ asked }) => [...asked.add, ...asked.remove]),
  )
  const failures = new Map(updates.map((one) => [one, segmentFailure(one, types)]))
  const good = updates.filter((one) => failures.get(one) === null)
  const refusals = await changeContacts(
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
  const movesOf = (part: 'add' | 'remove'): MemberMove[] =>
    done.flatMap((one) =>
      one.asked[part].map((segment) => ({ segment, contact: one.visit.contact!, cause: causeOf(one) })),
    )
  await moveMembers(tx, account, { entering: movesOf('add'), leaving: movesOf('remove') })
  return [...failures]
}

/** Writes fields and memberships of the contacts of runs; what is refused fails the step of its own run alone. */
async function updateTargets(
  step: Pick<StepTransaction, 'tx' | 'now'> & { shapes: Shapes },
  requests: readonly Update[],
): Answers {
  const answers = new Map<Update, StepFailure | null>()
  const accounts = [...Map.groupBy(requests, ({ draft }) => draft.run.account)].toSorted(([a], [b]) => a - b)
  for (const [account, own] of accounts) {
    for (const turn of turnsOf(own, ({ visit }) => visit.contact)) {
      for (const [one, failure] of await updateTogether(step, account, turn)) answers.set(one, failure)
    }
  }
  // What nodes read of the contact from now on is what was written.
  for (const { draft } of requests) draft.contact = undefined
  return requests.map((one) => answers.get(one) ?? null)
}

/** Who performs the nodes that write contacts. */
export function createUpdateTargets(shapes: Shapes): NonNullable<Performers['effects']['updateTarget']> {
  return ({ tx, now }, requests) => updateTargets({ tx, now, shapes }, requests)
}
