import type { FastifyRequest } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'

type RequestAccess = Pick<FastifyRequest, 'person' | 'rights'>

/** Returns true if the request is from a person who may not send; keys only need the right of the route. */
export function isUserWithoutSendRight({ person, rights }: RequestAccess): boolean {
  return person !== null && !rights?.includes('send')
}

/** Why a person may not do what only those do who may send; undefined for a key, and for people who may. */
function findSendRefusal(request: RequestAccess, actionName: string): Problem | undefined {
  if (!isUserWithoutSendRight(request)) return undefined
  return new Problem(403, 'right-missing', `${actionName} requires the right "send", which your role does not have.`)
}

/** Why a person needs the word of another one; undefined for a key, and where the account asks for none. */
function findApprovalRefusal({ person }: RequestAccess, actionName: string): Problem | undefined {
  if (!person?.approval) return undefined
  const detail = `${actionName} requires the approval of another user. Request it with POST /approvals.`
  return new Problem(403, 'approval-required', detail)
}

/** Throws 403 for people who may not send, and 403 `approval-required` where the account asks for approvals. */
export function requireDirectSendRight(request: RequestAccess, actionName: string): void {
  const refusal = findSendRefusal(request, actionName) ?? findApprovalRefusal(request, actionName)
  if (refusal) throw refusal
}

/** Throws 403 for people who may not send. */
export function requireSendRight(request: RequestAccess, actionName: string): void {
  const refusal = findSendRefusal(request, actionName)
  if (refusal) throw refusal
}

/** A live object, and the rules for changing it. */
export interface LiveChangeRule {
  /** In messages: "an active workflow". */
  what: string
  /** True if it also needs an approval, in accounts that require approvals. */
  asksApproval: boolean
  /** True if it needs the right to send; true by default. */
  asksSend?: boolean
  /** The alternative that people have. */
  instead?: string
}

const DEFAULT_ALTERNATIVE = 'Deactivate it, change it, and request its approval.'

/** Why a person may not change what is live; undefined when nothing speaks against it. */
export function findLiveChangeRefusal(
  request: RequestAccess,
  { what: objectName, asksApproval, asksSend = true, instead = DEFAULT_ALTERNATIVE }: LiveChangeRule,
): Problem | undefined {
  const changeText = `Changing ${objectName}`
  const refusal = asksSend ? findSendRefusal(request, changeText) : undefined
  if (refusal || !asksApproval || !request.person?.approval) return refusal
  const detail = `${changeText} requires the approval of another user. ${instead}`
  return new Problem(403, 'approval-required', detail)
}

/** Items of an execution, and what in them stands in place of what was approved. */
interface ExecutionItems<Item> {
  items: readonly Item[]
  /** Pointers begin with the place of the item. */
  isList: boolean
  replaces(item: Item): readonly string[]
}

/** The members of an item that are given. */
export const createMemberLister =
  <Item extends object>(members: readonly (keyof Item & string)[]) =>
  (item: Item): string[] =>
    members.filter((member) => item[member] !== undefined && item[member] !== null)

/** Throws 403 `approval-required` for a person whose account asks for approvals, where an item replaces what was approved. */
export function requireReplaceApproval<Item>(
  request: RequestAccess,
  { items, isList, replaces }: ExecutionItems<Item>,
): void {
  if (!request.person?.approval) return
  const errors = items.flatMap((item, index) =>
    replaces(item).map((member) => ({
      pointer: `${isList ? `/${index}` : ''}/${member}`,
      detail: 'is not approved',
    })),
  )
  if (errors.length === 0) return
  const detail =
    'An execution can only send approved content. Change the content, and request its approval with POST /approvals.'
  throw new Problem(403, 'approval-required', detail, { errors })
}
