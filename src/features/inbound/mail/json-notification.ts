import type { DeliveryStatus } from './delivery-status.ts'

/** A notification in JSON: deliveries and failures, or complaints. */
export interface JsonNotification {
  statuses: DeliveryStatus[]
  complaints: { recipient: string; feedback: string; userAgent: string | null }[]
}

type JsonObject = Record<string, unknown>

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])
const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Reads the notifications that cloud mailers send as JSON in the text of a mail: `notificationType` or `eventType` `Bounce`,
 * `Complaint` or `Delivery`, with a member of that name. Undefined when the text holds none.
 */
export function parseJsonNotification(mailText: string): JsonNotification | undefined {
  const notice = parseEmbeddedJson(mailText)
  const type = toText(notice?.['notificationType'] ?? notice?.['eventType']).toLowerCase()
  const detail = notice?.[type]
  if (!isJsonObject(detail)) return undefined
  if (type === 'bounce') return { statuses: parseBounced(detail), complaints: [] }
  if (type === 'complaint') return { statuses: [], complaints: parseComplained(detail) }
  return type === 'delivery' ? { statuses: parseDelivered(detail), complaints: [] } : undefined
}

/** The object in a text; it may be a string in another object, and a mail server may have broken its lines. */
function parseEmbeddedJson(mailText: string): JsonObject | undefined {
  const jsonStart = mailText.indexOf('{')
  const jsonEnd = mailText.lastIndexOf('}')
  if (jsonStart < 0 || jsonEnd < jsonStart || mailText.slice(0, jsonStart).trim() !== '') return undefined
  try {
    const value: unknown = JSON.parse(mailText.slice(jsonStart, jsonEnd + 1).replace(/!?\n[ \t]*/g, ''))
    if (!isJsonObject(value)) return undefined
    return typeof value['Message'] === 'string' ? parseEmbeddedJson(value['Message']) : value
  } catch {
    return undefined
  }
}

function toDeliveryStatus(members: Partial<DeliveryStatus>): DeliveryStatus {
  return { action: '', recipient: null, original: null, status: null, diagnostic: '', mta: '', stage: null, ...members }
}

function parseBounced(detail: JsonObject): DeliveryStatus[] {
  return toObjects(detail['bouncedRecipients']).map((recipientEntry) =>
    toDeliveryStatus({
      action: toText(recipientEntry['action']) || 'failed',
      recipient: toText(recipientEntry['emailAddress']) || null,
      status: toText(recipientEntry['status']) || null,
      diagnostic:
        toText(recipientEntry['diagnosticCode']) ||
        `${toText(detail['bounceType'])} ${toText(detail['bounceSubType'])}`.trim(),
      mta: toText(detail['reportingMTA']).replace(/^\w+;\s*/, ''),
    }),
  )
}

function parseDelivered(detail: JsonObject): DeliveryStatus[] {
  const recipients = Array.isArray(detail['recipients']) ? detail['recipients'].map(toText) : []
  const diagnostic = toText(detail['smtpResponse'])
  const status = /\b2\.\d\.\d\b/.exec(diagnostic)?.[0] ?? null
  return recipients.map((recipient) => toDeliveryStatus({ action: 'delivered', recipient, status, diagnostic }))
}

function parseComplained(detail: JsonObject): JsonNotification['complaints'] {
  return toObjects(detail['complainedRecipients']).map((recipientEntry) => ({
    recipient: toText(recipientEntry['emailAddress']),
    feedback: toText(detail['complaintFeedbackType']) || 'abuse',
    userAgent: toText(detail['userAgent']) || null,
  }))
}
