/** A preview of a mail. */
export interface MailPreview {
  type: 'success'
  recipient: string
  sender: { bounce: string; label: string | null; reply: string | null; value: string }
  subject: string
  html: string
  text: string
  amp: string
  headers: Record<string, string>
}

/** A preview of a text. */
export interface TextPreview {
  type: 'success'
  recipient: string
  sender: string
  text: string
  encoding: 'gsm7' | 'ucs2'
  segments: number
  /** Septets, or UTF-16 units. */
  length: number
}
