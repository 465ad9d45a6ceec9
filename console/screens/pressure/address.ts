/** Filters of the contacts at the limit, in the address. */
export interface ContactsAtLimitSearch {
  channel?: 'email' | 'sms' | 'rcs' | 'notification'
  purpose?: 'marketing' | 'service'
  topic?: string | undefined
  rule?: string | undefined
}
