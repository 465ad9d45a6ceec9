/** Ways to send mail that set-up offers, the plainest first. */
export interface SendingPreset {
  key: 'capture' | 'microsoft365' | 'google' | 'ses' | 'postmark' | 'brevo' | 'relay' | 'direct'
  /** Server of a provider that takes mail by SMTP with a user name and a password. */
  smtp?: { host: string; port: number; tls: 'required' }
  /** The provider wants its own sign-in, which the service does not have yet. */
  isMissing?: true
}

const startTls = (host: string): { host: string; port: number; tls: 'required' } => ({
  host,
  port: 587,
  tls: 'required',
})

export const SENDING_PRESETS: readonly SendingPreset[] = [
  { key: 'capture' },
  { key: 'ses', smtp: startTls('email-smtp.eu-west-1.amazonaws.com') },
  { key: 'postmark', smtp: startTls('smtp.postmarkapp.com') },
  { key: 'brevo', smtp: startTls('smtp-relay.brevo.com') },
  { key: 'microsoft365', isMissing: true },
  { key: 'google', isMissing: true },
  { key: 'relay', smtp: startTls('') },
  { key: 'direct' },
]
