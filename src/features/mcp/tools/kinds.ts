import { Type } from 'typebox'
import { buildApiPath, type McpApiCaller, readApiResource } from '../ask.ts'
import { McpObjectId } from '../tool.ts'

/** The kinds of what is sent, and where each has its operations. */
export const mcpMessageKinds = {
  message: { path: '/actions', release: 'validation' },
  rcs: { path: '/channel/rcs/actions', release: 'validation', test: 'proof' },
  notification: { path: '/notifications', release: 'activation', test: 'test' },
} as const
export type McpMessageKind = keyof typeof mcpMessageKinds

export const McpMessageKindName = Type.Optional(
  Type.Enum(['message', 'rcs', 'notification'], {
    description: 'message (the default): email and SMS; rcs: RCS; notification: push',
  }),
)

/** Reference to a message. */
export const mcpMessageReference = { kind: McpMessageKindName, message: McpObjectId }

export interface McpMessageReference {
  kind?: McpMessageKind
  message: string | number
}

/** The path of a message. */
export function mcpMessagePath({ kind = 'message', message }: McpMessageReference): string {
  return mcpMessageKinds[kind].path + buildApiPath`/${message}`
}

/** A message as the interface shows it; notifications have no state but `active`. */
export interface McpMessage {
  id: string | number
  type?: string
  state?: number
  active?: boolean
  informations?: { lastValidation?: unknown }
  /** Only for notifications. */
  versions?: { id: string }[]
}

/** Reads a message. Throws notFound. */
export function loadMcpMessage(ask: McpApiCaller, message: McpMessageReference): Promise<McpMessage> {
  return readApiResource<McpMessage>(ask, mcpMessagePath(message))
}

const STATE_TEXTS: Readonly<Record<number, string>> = {
  10: 'a draft that is not complete',
  20: 'a complete draft',
  30: 'its test is under way',
  35: 'its test is under way',
  36: 'its test is under way',
  38: 'tested',
  40: 'its validation for production is under way',
  50: 'validated: sent on demand, or when its time comes',
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
