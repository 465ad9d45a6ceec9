import { conflictProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { lockContactsByIds } from '../../contacts/records/write.ts'
import { lockSegmentTypes, moveSegmentMembers, type SegmentMemberMove } from '../../segments/members/member-moves.ts'
import { createContactNotFound, findScriptContactIds } from '../reads/named-contacts.ts'
import { createWriteCause } from './causes.ts'
import { isNotProblem, type ScriptWriteFunction } from './write-types.ts'

/** Why contacts cannot be put into a segment or taken out of it; null: they can. */
export function findSegmentProblem(segment: number, types: ReadonlyMap<number, 'static' | 'dynamic'>): Problem | null {
  const type = types.get(segment)
  if (type === undefined) return notFoundProblem('segment', segment)
  if (type === 'static') return null
  return conflictProblem('segment-dynamic', `Segment ${segment} is dynamic: its members follow from its criteria.`)
}

/** `segments.add(segment, identification)` and `segments.remove`: of static segments. What is so already stays. */
function memberFunction(way: 'entering' | 'leaving'): ScriptWriteFunction {
  return {
    async apply({ tx, caller }, writes) {
      const { account } = caller
      const segments = writes.map(({ args: [segment] }) => parseInt32Id(String(segment)))
      const types = await lockSegmentTypes(
        tx,
        account,
        segments.filter((segment) => segment !== undefined),
      )
      const contacts = await findScriptContactIds(
        tx,
        account,
        writes.map(({ args: [, identification] }) => identification),
      )
      const numbers = contacts.filter(isNotProblem)
      // One that is deleted meanwhile has gone, or goes after this.
      const held = new Set((await lockContactsByIds(tx, account, numbers)).map(({ id }) => id))
      const moves: SegmentMemberMove[] = []
      const problems = contacts.map((contact, index): Problem | null => {
        const segment = segments[index]
        if (segment === undefined) return notFoundProblem('segment', String(writes[index]!.args[0]))
        const problem = findSegmentProblem(segment, types)
        if (problem) return problem
        if (contact instanceof Problem) return contact
        if (!held.has(contact)) return createContactNotFound()
        moves.push({ segment, contact, cause: createWriteCause(caller) })
        return null
      })
      await moveSegmentMembers(tx, account, { entering: [], leaving: [], [way]: moves })
      return problems
    },
  }
}

export const addToSegmentWrite = memberFunction('entering')
export const removeFromSegmentWrite = memberFunction('leaving')
