import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { AccessRight } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import type { ApprovalKind } from '../approvals/approvable.ts'
import { type McpApiCaller, readApiResource } from './ask.ts'
import type { ToolConfirmations } from './confirmations.ts'
import { wrapUntrusted } from './untrusted.ts'

/** Dependencies of a tool: the API with the caller's identity, and the caller's confirmations. */
export interface McpToolContext {
  ask: McpApiCaller
  confirmations: ToolConfirmations
  /** Tries the validation or activation of an object and takes it back. Throws the problem that it would throw. */
  assertReleasable(kind: ApprovalKind, id: string | number): Promise<void>
  /** The time of the service, in milliseconds. */
  now(): number
}

/** Effect of a tool as shown to clients: `reads` changes nothing, `drafts` changes what is not sent, `acts` sends or deletes. */
export type McpToolEffect = 'reads' | 'drafts' | 'acts'

export interface McpTool {
  name: string
  title: string
  description: string
  input: TObject
  effect: McpToolEffect
  run(desk: McpToolContext, args: never): Promise<unknown>
}

/** A tool whose arguments are typed by their schema. */
export function defineMcpTool<Input extends TObject>(
  definition: Omit<McpTool, 'run' | 'input'> & {
    input: Input
    run(desk: McpToolContext, args: Static<Input>): Promise<unknown>
  },
): McpTool {
  return definition
}

/** The schema of the arguments of a tool, which takes no others. */
export function toolArguments<Members extends Record<string, TSchema>>(members: Members) {
  return Type.Object(members, { additionalProperties: false })
}

/** A whole number as a limit of a list. */
export function listLimitSchema(most: number, usual: number) {
  return Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: `Maximum number of items; default ${usual}.` }),
  )
}

/** A text that a list is searched for. */
export function searchTextSchema(description: string, maxLength = 500) {
  return Type.String({ minLength: 1, maxLength, description })
}

/** The period of a list or report. */
export const mcpPeriod = {
  start: Type.Optional(Type.String({ maxLength: 40, description: 'Start of the period, inclusive, in ISO 8601.' })),
  end: Type.Optional(Type.String({ maxLength: 40, description: 'End of the period, exclusive, in ISO 8601.' })),
}

/** The id of an object whose ids are numbers. */
export function numericIdSchema(objectName: string) {
  return Type.Integer({ minimum: 1, description: `ID of the ${objectName}.` })
}

/** The id of an object, as it is shown. */
export const McpObjectId = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  minLength: 1,
  maxLength: 200,
  description: 'ID of the object.',
})

/** A free object of JSON. */
export const McpJsonObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

/** The arguments of a tool that acts. */
export function confirmableArguments<Members extends Record<string, TSchema>>(members: Members) {
  return toolArguments({
    ...members,
    confirmation: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Returned by the first call. Pass it only after the person has agreed to what it describes.',
      }),
    ),
  })
}

/** The effect of a pending call. */
export interface PendingToolCall {
  tool: string
  /** The arguments, among them the confirmation of a second call. */
  args: { confirmation?: string }
  /** The rights of which a caller needs one. */
  right: AccessRight | readonly AccessRight[]
  /** The action for which users need another person's approval if the account requires it: "The activation of a workflow". */
  asksApproval?: string
  /** In plain words: "delete the contact". */
  will: string
  /** The object as the interface shows it now: what is confirmed. */
  object: unknown
  /** The part that is shown. Defaults to the object. */
  shown?: unknown
  count: number
  /** The counted items: "contacts that would get it". */
  of: string
  /** Throws what would make the act fail, before a confirmation is offered. Returns what the person should know before agreeing. */
  check?(): Promise<readonly string[] | undefined>
}

interface CallerRights {
  rights: readonly AccessRight[]
  approval: boolean
  person?: { email: string }
}

/** Reads the identity of the caller. */
export function readCallerIdentity({ ask }: McpToolContext): Promise<CallerRights> {
  return readApiResource<CallerRights>(ask, '/me')
}

/** Throws 403 unless the caller has one of the rights. Returns who it is. */
export async function assertCallerRight(desk: McpToolContext, right: PendingToolCall['right']): Promise<CallerRights> {
  const caller = await readCallerIdentity(desk)
  const { rights } = caller
  const sufficient = [right].flat()
  if (!sufficient.some((sufficientRight) => rights.includes(sufficientRight))) {
    const neededRights = sufficient.map((sufficientRight) => `"${sufficientRight}"`).join(' or ')
    throw new Problem(403, 'right-missing', `This requires the right ${neededRights}, which you do not have.`)
  }
  return caller
}

/** Throws 403 before anything is confirmed that could not be done: without the right, or without an approval. */
async function assertAllowed(desk: McpToolContext, { right, asksApproval }: PendingToolCall): Promise<void> {
  const { approval } = await assertCallerRight(desk, right)
  if (!approval || asksApproval === undefined) return
  const detail = `${asksApproval} requires the approval of another user.`
  throw new Problem(403, 'approval-required', detail)
}

/**
 * Without a confirmation answers one, bound to the caller, the arguments, the object as it is and the count; with it carries
 * out, once. Throws 403 without the right, or `approval-required`; conflict `confirmation-…`; what the check of the act throws.
 */
export async function runWithConfirmation(
  desk: McpToolContext,
  pending: PendingToolCall,
  carryOut: () => Promise<unknown>,
): Promise<unknown> {
  const { tool: name, will: actionText, object, shown: shownObject = object, count, of: countedText } = pending
  const { confirmation, ...args } = pending.args
  await assertAllowed(desk, pending)
  const confirmableAct = { tool: name, args, object, count }
  if (confirmation !== undefined) {
    await desk.confirmations.take(confirmation, confirmableAct)
    return { state: 'done', did: actionText, count, of: countedText, result: wrapUntrusted((await carryOut()) ?? null) }
  }
  const warnings = (await pending.check?.()) ?? []
  return {
    state: 'confirmation-needed',
    will: actionText,
    count,
    of: countedText,
    ...(warnings.length > 0 && { warnings }),
    ...desk.confirmations.make(confirmableAct),
    next: 'Nothing was done. Show the user what the call will do and to how many, and call again with the confirmation only if the user agrees.',
    object: wrapUntrusted(shownObject),
  }
}
