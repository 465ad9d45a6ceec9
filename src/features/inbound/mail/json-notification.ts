import type { DeliveryStatus } from './delivery-status.ts'

/** A notification in JSON: deliveries and failures, or complaints. */
export interface JsonNotification {
  statuses: DeliveryStatus[]
  complaints: { recipient: string; feedback: string; userAgent: string | null }[]
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads the notifications that cloud mailers send as JSON in the text of a mail: `notificationType` or `eventType` `Bounce`,
 * `Complaint` or `Delivery`, with a member of that name. Undefined when the text holds none.
 */
export function parseJsonNotification(mailText: string): JsonNotification | undefined {
  const notice = parsed(mailText)
  const type = text(notice?.['notificationType'] ?? notice?.['eventType']).toLowerCase()
  const detail = notice?.[type]
  if (!isObject(detail)) return undefined
  if (type === 'bounce') return { statuses: bounced(detail), complaints: [] }
  if (type === 'complaint') return { statuses: [], complaints: complained(detail) }
  return type === 'delivery' ? { statuses: delivered(detail), complaints: [] } : undefined
}

/** The object in a text; it may be a string in another object, and a mail server may have broken its lines. */
function parsed(mailText: string): Json | undefined {
  const start = mailText.indexOf('{')
  const end = mailText.lastIndexOf('}')
  if (start < 0 || end < start || mailText.slice(0, start).trim() !== '') return undefined
  try {
    const value: unknown = JSON.parse(mailText.slice(start, end + 1).replace(/!?\n[ \t]*/g, ''))
    if (!isObject(value)) return undefined
    return typeof value['Message'] === 'string' ? parsed(value['Message']) : value
  } catch {
    return undefined
  }
}

function statusOf(members: Partial<DeliveryStatus>): DeliveryStatus {
  return { action: '', recipient: null, original: null, status: null, diagnostic: '', mta: '', stage: null, ...members }
}

function bounced(detail: Json): DeliveryStatus[] {
  return objects(detail['bouncedRecipients']).map((one) =>
    statusOf({
      action: text(one['action']) || 'failed',
      recipient: text(one['emailAddress']) || null,
      status: text(one['status']) || null,
      diagnostic:
        text(one['diagnosticCode']) || `${text(detail['bounceType'])} ${text(detail['bounceSubType'])}`.trim(),
      mta: text(detail['reportingMTA']).replace(/^\w+;\s*/, ''),
    }),
  )
}

function delivered(detail: Json): DeliveryStatus[] {
  const recipients = Array.isArray(detail['recipients']) ? detail['recipients'].map(text) : []
  const diagnostic = text(detail['smtpResponse'])
  const status = /\b2\.\d\.\d\b/.exec(diagnostic)?.[0] ?? null
  return recipients.map((recipient) => statusOf({ action: 'delivered', recipient, status, diagnostic }))
}

function complained(detail: Json): JsonNotification['complaints'] {
  return objects(detail['complainedRecipients']).map((one) => ({
    recipient: text(one['emailAddress']),
    feedback: text(detail['complaintFeedbackType']) || 'abuse',
    userAgent: text(detail['userAgent']) || null,
  }))
}
