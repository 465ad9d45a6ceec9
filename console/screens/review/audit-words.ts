import type { Translator } from '../../text/catalogue.ts'
import type en from './en.ts'

/** Types of objects in the audit that have a word of their own; others are shown as they are called. */
export const AUDIT_OBJECT_TYPES = [
  'account',
  'action',
  'application',
  'approval',
  'archive',
  'campaign',
  'category',
  'compilable',
  'contact',
  'contact-settings',
  'destination',
  'domain',
  'event-settings',
  'export',
  'field',
  'form',
  'gateway',
  'held-messages',
  'import',
  'import-format',
  'invitation',
  'key',
  'notification',
  'people-settings',
  'person',
  'pressure-settings',
  'rcs',
  'rcs-profile',
  'rule',
  'samples',
  'segment',
  'selection',
  'sending-settings',
  'topic',
  'value-list',
  'webhook',
  'webtask',
  'workflow',
  'workflow-run',
] as const

/** Methods, by what they do. */
export const AUDIT_METHODS = ['POST', 'PUT', 'DELETE', 'GET'] as const

/** A type of the audit as a person calls it. */
export function formatAuditObjectType(t: Translator<typeof en>, type: string): string {
  const knownType = AUDIT_OBJECT_TYPES.find((candidate) => candidate === type)
  const typeLabel = knownType === undefined ? type.replaceAll('-', ' ') : t(`object_${knownType}`)
  return typeLabel.charAt(0).toUpperCase() + typeLabel.slice(1)
}

/** The type as pages of the console are found by: `value-list` of the audit is `valueList`. */
export const toPageObjectType = (type: string): string =>
  type.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
