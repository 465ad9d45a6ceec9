/** Of an action's settings, what decides who its messages are from and how they are written. */
export interface AuthoredSettings {
  sendingProfile: number | null
  purpose: { type: 'marketing' | 'service' }
  contentFormat?: 1 | 2 | 3
  importance?: boolean
  smsFormat?: 1 | 2 | 3
  smsType?: 1 | 2
  countries?: string[]
  sender?: string | null
}

/** Of an action's content, what decides whether it is complete and who it is from. */
export interface AuthoredContent {
  subject?: string | null
  html?: string | null
  text?: string | null
  textContent?: string | null
  headers?: {
    from?: { prefix?: string | null; domain?: string | null; label?: string | null } | null
    reply?: string | null
  }
}
