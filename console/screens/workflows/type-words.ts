import type { Translator } from '../../text/catalogue.ts'
import en from './en.ts'
import fields from './fields/en.ts'
import { WORKFLOW_NODE_KINDS } from './model/kinds.ts'

type NodeTranslator = Translator<typeof en>
type TextKey = keyof typeof en

/** Label of a node type. */
export const nodeTypeLabel = (t: NodeTranslator, type: string): string =>
  type in WORKFLOW_NODE_KINDS ? t(`type-${type.replaceAll(/\W/g, '-')}` as TextKey) : type

/** Label of an output: the text for a name defined by the API, or a custom name. */
export const nodeOutputLabel = (t: NodeTranslator, label: string): string =>
  `out-${label}` in en ? t(`out-${label}` as TextKey) : label

/** Label of the status of a run. */
export const workflowRunStatusLabel = (t: NodeTranslator, status: string): string =>
  status in en ? t(status as TextKey) : status

/** Label of the outcome with which a run left a node. */
export const nodeOutcomeLabel = (t: NodeTranslator, outcome: string | null): string =>
  `left-${outcome}` in en ? t(`left-${outcome}` as TextKey) : (outcome ?? '')

/** Why a simulation stopped: the message of the node that failed, or why it did not begin. */
export function describeSimulationFailure(
  t: NodeTranslator,
  { type = '', message }: { type?: string; message?: unknown },
): string {
  if (typeof message === 'string' && message !== '') return message
  const key = `stopped-${type.replaceAll(' ', '-')}`
  return key in en ? t(key as TextKey) : type
}

/** Label of a member of an effect; its API name if it has no field. */
export const effectMemberLabel = (t: Translator<typeof fields>, name: string): string =>
  `set-${name}` in fields ? t(`set-${name}` as keyof typeof fields) : name
