import { Type } from 'typebox'
import type { ApprovalKind } from '../../approvals/approvable.ts'
import { buildApiPath, type McpApiCaller, readApiResource } from '../ask.ts'
import { McpObjectId } from '../tool.ts'

export type McpMessageKind = 'message' | 'rcs' | 'notification'

/** The operation that releases a message for sending. */
interface McpMessageRelease {
  operation: string
  body?: object
  /** The effect of the tool, for a confirmation. */
  will: string
  /** Its name, for a refusal that requires an approval. */
  asksApproval: string
}

/** A test that is sent to a contact. */
export interface McpContactTest {
  operation: string
  /** An address may take the place of the contact's. */
  takesAddress: boolean
  buildBody(recipient: object, address: string | undefined): object
}

interface McpMessageKindTraits {
  /** The path of its operations. */
  path: string
  /** Its kind in approvals. */
  approvalKind: ApprovalKind
  release: McpMessageRelease
  /** The member of requests that names whom it is sent to. */
  recipientMember: 'recipient' | 'receiver'
  /** Its versions are rendered one by one. */
  hasVersions: boolean
  /** Null for what is tested with an address alone. */
  contactTest: McpContactTest | null
}

const actionRelease: McpMessageRelease = {
  operation: 'validation',
  will: 'validate the message for production, which sends a campaign',
  asksApproval: 'The validation for production',
}

/** The kinds of what is sent, and how each differs in its operations. */
export const mcpMessageKinds: Readonly<Record<McpMessageKind, McpMessageKindTraits>> = {
  message: {
    path: '/actions',
    approvalKind: 'action',
    release: { ...actionRelease, body: { fortest: false } },
    recipientMember: 'recipient',
    hasVersions: false,
    contactTest: null,
  },
  rcs: {
    path: '/channel/rcs/actions',
    approvalKind: 'rcs',
    release: actionRelease,
    recipientMember: 'recipient',
    hasVersions: false,
    contactTest: {
      operation: 'proof',
      takesAddress: true,
      buildBody: (recipient, address) => ({ recipient, mediaForTest: address ?? null }),
    },
  },
  notification: {
    path: '/notifications',
    approvalKind: 'notification',
    release: {
      operation: 'activation',
      will: 'activate the notification',
      asksApproval: 'The activation of a notification',
    },
    recipientMember: 'receiver',
    hasVersions: true,
    contactTest: {
      operation: 'test',
      takesAddress: false,
      buildBody: (recipient) => ({ recipient: { type: 'contact', value: recipient } }),
    },
  },
}

export const McpMessageKindName = Type.Optional(
  Type.Enum(['message', 'rcs', 'notification'], {
    description: '`message` (default): email and SMS. `rcs`: RCS. `notification`: push.',
  }),
)

/** Reference to a message. */
export const mcpMessageReference = { kind: McpMessageKindName, id: McpObjectId }

export interface McpMessageReference {
  kind?: McpMessageKind
  id: string | number
}

export function isMcpMessageKind(name: string): name is McpMessageKind {
  return Object.hasOwn(mcpMessageKinds, name)
}

/** The path of a message. */
export function mcpMessagePath({ kind = 'message', id }: McpMessageReference): string {
  return mcpMessageKinds[kind].path + buildApiPath`/${id}`
}

/** A message as the interface shows it; notifications have no state but `active`. */
export interface McpMessage {
  id: string | number
  type?: string
  state?: number
  active?: boolean
  informations?: { lastValidation?: unknown; paused?: boolean }
  settings?: { field?: number; consent?: number; purpose?: { type: string }; mp?: { topic?: string | null } }
  scheduler?: { type: string } | null
  /** Only for notifications. */
  versions?: { id: string }[]
}

/** Reads a message. Throws notFound. */
export function loadMcpMessage(ask: McpApiCaller, message: McpMessageReference): Promise<McpMessage> {
  return readApiResource<McpMessage>(ask, mcpMessagePath(message))
}

/** Messages without the parts that make a list long: their contents and settings. */
export function summarizeMessages(messages: readonly object[]): object[] {
  return messages.map((message) => {
    const { content, settings, versions, ...summary } = message as Record<string, unknown>
    return summary
  })
}

/** The channel on which a message is sent. */
export function messageChannel({ type = '' }: McpMessage): 'email' | 'sms' | 'rcs' | 'notification' {
  if (type.startsWith('mail')) return 'email'
  if (type.startsWith('sms')) return 'sms'
  return type.startsWith('rcs') ? 'rcs' : 'notification'
}

/** True for a message that is sent once, to segments. */
export function isCampaignMessage({ type = '' }: McpMessage): boolean {
  return type.endsWith('Campaign')
}

const STATE_TEXTS: Readonly<Record<number, string>> = {
  10: 'an incomplete draft',
  20: 'a complete draft',
  30: 'being tested',
  35: 'being tested',
  36: 'being tested',
  38: 'tested',
  40: 'being validated for production',
  50: 'validated: sent on demand or at its scheduled time',
  55: 'being sent',
  60: 'sent',
}

/** In words, how far a message is. */
export function describeMessageState({ state, active }: McpMessage): string {
  if (state !== undefined) return STATE_TEXTS[state] ?? String(state)
  return active ? 'active' : 'inactive: a draft'
}

/** True if changing a message affects nothing that is sent. */
export function isUnsentMessage({ state, active }: McpMessage): boolean {
  return state === undefined ? active !== true : [10, 20, 38].includes(state)
}
