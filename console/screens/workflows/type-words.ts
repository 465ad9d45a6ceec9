import type { Translator } from '../../text/catalogue.ts'
import en from './en.ts'
import fields from './fields/en.ts'
import { WORKFLOW_NODE_KINDS } from './model/kinds.ts'

type T = Translator<typeof en>
type Key = keyof typeof en

/** What a type of node is called. */
export const nodeTypeLabel = (t: T, type: string): string =>
  type in WORKFLOW_NODE_KINDS ? t(`type-${type.replaceAll(/\W/g, '-')}` as Key) : type

/** What a way out is called: the words of the interface's own, or the name somebody gave. */
export const nodeOutputLabel = (t: T, label: string): string =>
  `out-${label}` in en ? t(`out-${label}` as Key) : label

/** What became of a run. */
export const workflowRunStatusLabel = (t: T, status: string): string => (status in en ? t(status as Key) : status)

/** How a node was left. */
export const nodeOutcomeLabel = (t: T, outcome: string | null): string =>
  `left-${outcome}` in en ? t(`left-${outcome}` as Key) : (outcome ?? '')

/** What a member of an effect is called; the interface's own word where it has no field. */
export const effectMemberLabel = (t: Translator<typeof fields>, name: string): string =>
  `set-${name}` in fields ? t(`set-${name}` as keyof typeof fields) : name
