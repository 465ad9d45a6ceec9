import type { EventDetail } from '../record/new-event.ts'

/** Why an asked send will not be handed over; the closed list of types with the members of their `value`. */
export interface SendCancellation {
  type: SendCancellationType
  value?: EventDetail
}

export type SendCancellationType =
  | 'action deleted'
  | 'expired'
  | 'recipient not found'
  | 'empty address'
  | 'invalid address'
  | 'country'
  | 'duplicate address'
  | 'bounce'
  | 'redlist'
  | 'consent'
  | 'marketing pressure'
  | 'capping'
  | 'user defined policy'
  | 'render error'
  | 'attachment'
  | 'no subscription'
  | 'opted out'
  | 'configuration'
