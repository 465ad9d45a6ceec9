import { conflict, notFound, Problem } from '../../../lib/errors/problem.ts'
import { readIntId } from '../../../lib/ids.ts'
import { lockByIds } from '../../contacts/records/write.ts'
import { holdSegments, type MemberMove, moveMembers } from '../../segments/members/member-moves.ts'
import { contactMissing, contactsNamed } from '../reads/named-contacts.ts'
import { causeOf } from './causes.ts'
import { isSound, type WriteFunction } from './write-types.ts'

/** Why contacts cannot be put into a segment or taken out of it; null: they can. */
export function segmentProblem(segment: number, types: ReadonlyMap<number, 'static' | 'dynamic'>): Problem | null {
  const type = types.get(segment)
  if (type === undefined) return notFound('segment', segment)
  if (type === 'static') return null
  return conflict('segment-dynamic', `Segment ${segment} is dynamic: its members follow from its criteria.`)
}

/** `segments.add(segment, identification)` and `segments.remove`: of static segments. What is so already stays. */
function memberFunction(way: 'entering' | 'leaving'): WriteFunction {
  return {
    async apply({ tx, caller }, writes) {
      const { account } = caller
      const segments = writes.map(({ args: [segment] }) => readIntId(String(segment)))
      const types = await holdSegments(
        tx,
        account,
        segments.filter((segment) => segment !== undefined),
      )
      const contacts = await contactsNamed(
        tx,
        account,
        writes.map(({ args: [, identification] }) => identification),
      )
      const numbers = contacts.filter(isSound)
      // One that is deleted meanwhile has gone, or goes after this.
      const held = new Set((await lockByIds(tx, account, numbers)).map(({ id }) => id))
      const moves: MemberMove[] = []
      const problems = contacts.map((contact, index): Problem | null => {
        const segment = segments[index]
        if (segment === undefined) return notFound('segment', String(writes[index]!.args[0]))
        const problem = segmentProblem(segment, types)
        if (problem) return problem
        if (contact instanceof Problem) return contact
        if (!held.has(contact)) return contactMissing()
        moves.push({ segment, contact, cause: causeOf(caller) })
        return null
      })
      await moveMembers(tx, account, { entering: [], leaving: [], [way]: moves })
      return problems
    },
  }
}

export const addToSegment = memberFunction('entering')
export const removeFromSegment = memberFunction('leaving')
