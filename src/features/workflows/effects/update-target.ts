import type { AccountId } from '../../../lib/account.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/split-by-key.ts'
import type { Problem } from '../../../lib/errors/problem.ts'
import { updateContacts } from '../../contacts/bulk/own-changes.ts'
import type { FlatMap } from '../../contacts/records/contact-schemas.ts'
import type { ContactShapeLoader } from '../../contacts/values/stored-shape.ts'
import type { NoticeCause } from '../../notices/notices.ts'
import { findSegmentProblem } from '../../script-host/writes/write-members.ts'
import { lockSegmentTypes, moveSegmentMembers, type SegmentMemberMove } from '../../segments/members/member-moves.ts'
import { StepFailure } from '../nodes/node-contract.ts'
import type {
  EffectAnswers,
  EffectHandlers,
  NodeEffectRequest,
  RunStepTransaction,
} from '../run-stepper/effect-handlers.ts'
import { setRunContact } from '../run-stepper/run-state.ts'

type UpdateRequest = NodeEffectRequest<'updateTarget'>

const buildNoticeCause = ({ draft, visit }: UpdateRequest): NoticeCause => ({
  stamp: visit.stamp,
  depth: draft.run.depth + 1,
})

/** Converts a problem to a step failure. Problems that the API would answer with 400, 404 or 409 are permanent. */
function toStepFailure({ status, kind, detail }: Problem): StepFailure {
  if (status === 404) return new StepFailure('no receiver', 'The contact no longer exists.')
  return new StepFailure(status === 400 ? 'invalid value' : kind, detail)
}

function findSegmentFailure(
  { asked: effect }: UpdateRequest,
  types: ReadonlyMap<number, 'static' | 'dynamic'>,
): StepFailure | null {
  const [problem] = [...effect.add, ...effect.remove].flatMap((id) => findSegmentProblem(id, types) ?? [])
  return problem ? new StepFailure(problem.status === 404 ? 'segment' : problem.kind, problem.detail) : null
}

/** Does updates of one account in which no contact is named twice; gives what failed. */
async function updateContactBatch(
  { tx, now, shapes }: Pick<RunStepTransaction, 'tx' | 'now'> & { shapes: ContactShapeLoader },
  account: AccountId,
  updates: readonly UpdateRequest[],
): Promise<[UpdateRequest, StepFailure | null][]> {
  const types = await lockSegmentTypes(
    tx,
    account,
    updates.flatMap(({ asked: effect }) => [...effect.add, ...effect.remove]),
  )
  const failures = new Map(updates.map((updateRequest) => [updateRequest, findSegmentFailure(updateRequest, types)]))
  const validUpdates = updates.filter((updateRequest) => failures.get(updateRequest) === null)
  const refusals = await updateContacts(
    tx,
    account,
    validUpdates.map((updateRequest) => ({
      contact: updateRequest.visit.contact!,
      body: updateRequest.asked.fields as FlatMap,
      cause: buildNoticeCause(updateRequest),
    })),
    { now: new Date(now), shapes },
  )
  for (const [index, updateRequest] of validUpdates.entries()) {
    const refusal = refusals[index]
    if (refusal) failures.set(updateRequest, toStepFailure(refusal))
  }
  const completedUpdates = validUpdates.filter((updateRequest) => failures.get(updateRequest) === null)
  const listMemberMoves = (part: 'add' | 'remove'): SegmentMemberMove[] =>
    completedUpdates.flatMap((completedUpdate) =>
      completedUpdate.asked[part].map((segment) => ({
        segment,
        contact: completedUpdate.visit.contact!,
        cause: buildNoticeCause(completedUpdate),
      })),
    )
  await moveSegmentMembers(tx, account, { entering: listMemberMoves('add'), leaving: listMemberMoves('remove') })
  return [...failures]
}

/** Writes fields and memberships of the contacts of runs; what is refused fails the step of its own run alone. */
async function updateRunContacts(
  step: Pick<RunStepTransaction, 'tx' | 'now'> & { shapes: ContactShapeLoader },
  requests: readonly UpdateRequest[],
): EffectAnswers {
  const failureByRequest = new Map<UpdateRequest, StepFailure | null>()
  const accounts = [...Map.groupBy(requests, ({ draft }) => draft.run.account)].toSorted(([a], [b]) => a - b)
  for (const [account, accountRequests] of accounts) {
    for (const updateTurn of splitByRepeatedKey(accountRequests, ({ visit }) => visit.contact)) {
      for (const [answeredRequest, failure] of await updateContactBatch(step, account, updateTurn))
        failureByRequest.set(answeredRequest, failure)
    }
  }
  // What nodes read of the contact from now on is what was written.
  for (const { draft } of requests) setRunContact(draft, undefined)
  return requests.map((answeredRequest) => failureByRequest.get(answeredRequest) ?? null)
}

/** Creates the handler of the nodes that write contacts. */
export function createUpdateTargetHandler(
  shapes: ContactShapeLoader,
): NonNullable<EffectHandlers['effects']['updateTarget']> {
  return ({ tx, now }, requests) => updateRunContacts({ tx, now, shapes }, requests)
}
