import { conflictProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { lockContactsByIds } from '../../contacts/records/write.ts'
import { lockSegmentTypes, moveSegmentMembers, type SegmentMemberMove } from '../../segments/members/member-moves.ts'
import { createContactNotFound, findScriptContactIds } from '../reads/named-contacts.ts'
import { createWriteCause } from './causes.ts'
import { isNotProblem, type ScriptWriteFunction } from './write-types.ts'

/** Why contacts cannot be put into a segment or taken out of it; null: they can. */
export function findSegmentProblem(
  segmentId: number,
  segmentTypes: ReadonlyMap<number, 'static' | 'dynamic'>,
): Problem | null {
  const type = segmentTypes.get(segmentId)
  if (type === undefined) return notFoundProblem('segment', segmentId)
  if (type === 'static') return null
  return conflictProblem('segment-dynamic', `Segment ${segmentId} is dynamic: its criteria determine its members.`)
}

/** `segments.add(segment, identification)` and `segments.remove`: of static segments. What is so already stays. */
function createMemberFunction(way: 'entering' | 'leaving'): ScriptWriteFunction {
  return {
    async apply({ tx, caller }, writes) {
      const { account } = caller
      const segmentIds = writes.map(({ args: [segmentId] }) => parseInt32Id(String(segmentId)))
      const segmentTypes = await lockSegmentTypes(
        tx,
        account,
        segmentIds.filter((segmentId) => segmentId !== undefined),
      )
      const contacts = await findScriptContactIds(
        tx,
        account,
        writes.map(({ args: [, identification] }) => identification),
      )
      const contactIds = contacts.filter(isNotProblem)
      // One that is deleted meanwhile has gone, or goes after this.
      const lockedIds = new Set((await lockContactsByIds(tx, account, contactIds)).map(({ id }) => id))
      const memberMoves: SegmentMemberMove[] = []
      const problems = contacts.map((contact, index): Problem | null => {
        const segmentId = segmentIds[index]
        if (segmentId === undefined) return notFoundProblem('segment', String(writes[index]!.args[0]))
        const problem = findSegmentProblem(segmentId, segmentTypes)
        if (problem) return problem
        if (contact instanceof Problem) return contact
        if (!lockedIds.has(contact)) return createContactNotFound()
        memberMoves.push({ segment: segmentId, contact, cause: createWriteCause(caller) })
        return null
      })
      await moveSegmentMembers(tx, account, { entering: [], leaving: [], [way]: memberMoves })
      return problems
    },
  }
}

export const addToSegmentWrite = createMemberFunction('entering')
export const removeFromSegmentWrite = createMemberFunction('leaving')
