import type { FastifyRequest } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'

type Asking = Pick<FastifyRequest, 'person' | 'rights'>

/** Whether it is a person who may not send: of keys the right of the route is all there is to ask. */
export function isUserWithoutSendRight({ person, rights }: Asking): boolean {
  return person !== null && !rights?.includes('send')
}

/** Why a person may not do what only those do who may send; undefined for a key, and for people who may. */
function lacksSend(request: Asking, what: string): Problem | undefined {
  if (!isUserWithoutSendRight(request)) return undefined
  return new Problem(403, 'right-missing', `${what} asks for the right "send", which your role lacks.`)
}

/** Why a person needs the word of another one; undefined for a key, and where the account asks for none. */
function needsApproval({ person }: Asking, what: string): Problem | undefined {
  if (!person?.approval) return undefined
  const detail = `${what} asks for the approval of another person: ask for it by POST /approvals.`
  return new Problem(403, 'approval-required', detail)
}

/** Throws 403 for people who may not send, and 403 `approval-required` where the account asks for approvals. */
export function requireDirectSendRight(request: Asking, what: string): void {
  const refusal = lacksSend(request, what) ?? needsApproval(request, what)
  if (refusal) throw refusal
}

/** Throws 403 for people who may not send. */
export function requireSendRight(request: Asking, what: string): void {
  const refusal = lacksSend(request, what)
  if (refusal) throw refusal
}

/** What is live, and who changes it. */
export interface LiveChangeRule {
  /** In messages: "an active workflow". */
  what: string
  /** Whether it also needs an approval, where the account asks for them. */
  asksApproval: boolean
  /** Whether it needs the right to send; by default it does. */
  asksSend?: boolean
  /** What people do in its place. */
  instead?: string
}

const INSTEAD = 'deactivate it, change it, and ask for its approval.'

/** Why a person may not change what is live; undefined when nothing speaks against it. */
export function findLiveChangeRefusal(
  request: Asking,
  { what, asksApproval, asksSend = true, instead = INSTEAD }: LiveChangeRule,
): Problem | undefined {
  const change = `A change of ${what}`
  const refusal = asksSend ? lacksSend(request, change) : undefined
  if (refusal || !asksApproval || !request.person?.approval) return refusal
  const detail = `${change} asks for the approval of another person: ${instead}`
  return new Problem(403, 'approval-required', detail)
}

/** Items of an execution, and what in them stands in place of what was approved. */
interface Brought<Item> {
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
export function requireReplaceApproval<Item>(request: Asking, { items, isList, replaces }: Brought<Item>): void {
  if (!request.person?.approval) return
  const errors = items.flatMap((item, index) =>
    replaces(item).map((member) => ({
      pointer: `${isList ? `/${index}` : ''}/${member}`,
      detail: 'is not what was approved',
    })),
  )
  if (errors.length === 0) return
  const detail =
    'An execution sends what was approved: change the content, and ask for its approval by POST /approvals.'
  throw new Problem(403, 'approval-required', detail, { errors })
}
