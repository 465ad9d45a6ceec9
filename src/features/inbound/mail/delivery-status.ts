import { findMailField, type MailField, parseMailFields } from '../../../lib/text/mail/fields.ts'
import type { SmtpStage } from '../../bounces/bounce-rules.ts'

/** The report of a delivery status on one recipient. */
export interface DeliveryStatus {
  /** `failed`, `delayed`, `delivered`, `relayed`, `expanded`; empty when it is missing. */
  action: string
  /** The final recipient, else the original one; null when neither is an address. */
  recipient: string | null
  original: string | null
  /** Enhanced code (RFC 3463). */
  status: string | null
  /** As received, with its type. */
  diagnostic: string
  /** The host that refused, else the one that reports. */
  mta: string
  /** The stage of the SMTP dialogue at which it was refused, when the report gives it in a field. */
  stage: SmtpStage | null
}

/**
 * The recipients of a `message/delivery-status` (RFC 3464), in order. A group of fields is about one recipient; where
 * the blank lines between groups are missing, the next final recipient begins one.
 */
export function parseDeliveryStatus(text: string): DeliveryStatus[] {
  const groups = text.split(/\n[ \t]*\n\s*/).flatMap((group) => splitByRecipient(parseMailFields(group)))
  const reporting = groups.map((group) => findMailField(group, 'reporting-mta')).find((mta) => mta !== undefined) ?? ''
  return groups.filter(isRecipientGroup).map((group) => toDeliveryStatus(group, reporting))
}

const RECIPIENT_FIELDS = ['final-recipient', 'original-recipient', 'action', 'status', 'diagnostic-code']

function isRecipientGroup(group: readonly MailField[]): boolean {
  return group.filter(([name]) => RECIPIENT_FIELDS.includes(name)).length > 1
}

/** One group per final recipient; what stands before the first is its own, but for the fields of the whole report. */
function splitByRecipient(fields: readonly MailField[]): MailField[][] {
  const groups: MailField[][] = [[]]
  for (const field of fields) {
    const group = groups.at(-1) ?? []
    const startsNextGroup = field[0] === 'final-recipient' && findMailField(group, 'final-recipient') !== undefined
    if (startsNextGroup) groups.push([field])
    else group.push(field)
  }
  return groups
}

function toDeliveryStatus(group: readonly MailField[], reporting: string): DeliveryStatus {
  const originalRecipient = parseReportedAddress(findMailField(group, 'original-recipient'))
  const finalRecipient = parseReportedAddress(findMailField(group, 'final-recipient'))
  return {
    action: /^[a-z]*/.exec(findMailField(group, 'action')?.toLowerCase() ?? '')?.[0] ?? '',
    recipient: finalRecipient ?? originalRecipient,
    original: originalRecipient,
    status: /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(findMailField(group, 'status') ?? '')?.[1] ?? null,
    diagnostic: findMailField(group, 'diagnostic-code') ?? '',
    mta: parseReportedHost(findMailField(group, 'remote-mta')) || parseReportedHost(reporting),
    // A field that some MTAs add, which sort refusals by the refused command.
    stage: findMailField(group, 'x-powermta-bouncecategory') === 'bad-mailbox' ? 'rcpt' : null,
  }
}

/** The address of `rfc822; <ann@shop.example>`, or of `utf-8; ann@\x{6F22}.example` (RFC 6533, 3). `null` if the value holds no address. */
function parseReportedAddress(value: string | undefined): string | null {
  const text = (value ?? '')
    .replace(/^\s*[\w-]{1,40}\s*;/, '')
    .replace(/\\x\{([0-9a-f]{1,6})\}/gi, (escapeText, hex: string) => {
      const code = Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : escapeText
    })
  const address = /<?((?:"[^"]{1,128}"|(?<![^\s<>"@;])[^\s<>"@;]{1,128})@[^\s<>"@;,()]{1,255})>?/.exec(text)?.[1]
  return address ?? null
}

function parseReportedHost(value: string | undefined): string {
  return (value ?? '').replace(/^\s*[\w-]{1,40}\s*;/, '').trim()
}
