import { Type } from 'typebox'
import { type Ask, at, read } from '../ask.ts'
import { Id } from '../tool.ts'

/** The kinds of what is sent, and where each has its operations. */
export const kinds = {
  message: { path: '/actions', release: 'validation' },
  rcs: { path: '/channel/rcs/actions', release: 'validation', test: 'proof' },
  notification: { path: '/notifications', release: 'activation', test: 'test' },
} as const
export type Kind = keyof typeof kinds

export const KindName = Type.Optional(
  Type.Enum(['message', 'rcs', 'notification'], {
    description: 'message (the default): email and SMS; rcs: RCS; notification: push',
  }),
)

/** How a message is named. */
export const named = { kind: KindName, message: Id }

export interface Named {
  kind?: Kind
  message: string | number
}

/** The path of a message. */
export function pathOf({ kind = 'message', message }: Named): string {
  return kinds[kind].path + at`/${message}`
}

/** A message as the interface shows it; notifications have no state but `active`. */
export interface Message {
  id: string | number
  type?: string
  state?: number
  active?: boolean
  informations?: { lastValidation?: unknown }
  /** Of a notification. */
  versions?: { id: string }[]
}

/** Reads a message. Throws notFound. */
export function readMessage(ask: Ask, message: Named): Promise<Message> {
  return read<Message>(ask, pathOf(message))
}

const STATES: Readonly<Record<number, string>> = {
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
export function stateInWords({ state, active }: Message): string {
  if (state !== undefined) return STATES[state] ?? String(state)
  return active ? 'active' : 'inactive: a draft'
}

/** Whether changing a message changes nothing that is sent. */
export function isDraft({ state, active }: Message): boolean {
  return state === undefined ? active !== true : [10, 20, 38].includes(state)
}
