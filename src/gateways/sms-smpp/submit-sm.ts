import type { OutgoingSms, RefusedDelivery } from '../gateway.ts'
import type { SmppFields } from './commands.ts'
import type { SmppSettings } from './settings.ts'
import { formatSmppStatus, smppStatusCodes } from './status.ts'
import { type SmppTextPart, splitSmppText } from './text.ts'

/** One submit_sm: a whole message, or a part of a long one. */
export interface SubmitSmPdu {
  fields: SmppFields<'submit_sm'>
  tlvs: SmppTextPart['tlvs']
}

/** Why this message must not be submitted at all. */
export type SmppLocalRefusal = Pick<RefusedDelivery, 'stage' | 'enhanced' | 'reply' | 'gatewayCode'>

const DESTINATION_PATTERN = /^\+?\d{3,20}$/
const NUMBER_PATTERN = /^\+\d{3,20}$|^\d{9,20}$/
const SHORT_CODE_PATTERN = /^\d{3,8}$/
const NAME_PATTERN = /^[\x20-\x7e]{1,11}$/

const UDHI_FLAG = 0x40

/** registered_delivery (5.2.17). */
const RECEIPT_REQUESTS = { none: 0, all: 1, failures: 2 } as const

const DAY_SECONDS = 86_400
const MAX_VALIDITY_SECONDS = 30 * DAY_SECONDS
const MIN_VALIDITY_SECONDS = 60

const padTwoDigits = (number: number): string => String(number).padStart(2, '0')

/** A time as SMPP writes it (7.1.1), in seconds from now, within what every message centre takes. */
export function formatSmppRelativeTime(seconds: number): string {
  const wholeSeconds = Math.floor(Math.min(Math.max(seconds, MIN_VALIDITY_SECONDS), MAX_VALIDITY_SECONDS))
  const [days, remainingSeconds] = [Math.floor(wholeSeconds / DAY_SECONDS), wholeSeconds % DAY_SECONDS]
  return `0000${padTwoDigits(days)}${padTwoDigits(Math.floor(remainingSeconds / 3600))}${padTwoDigits(Math.floor(remainingSeconds / 60) % 60)}${padTwoDigits(remainingSeconds % 60)}000R`
}

/** The same at an instant, in milliseconds, of UTC. */
export function formatSmppAbsoluteTime(ms: number): string {
  return `${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}000+`
}

function formatValidity({ expiresAt }: OutgoingSms, { validity }: SmppSettings, now: number): string {
  if (expiresAt === undefined || validity === 'none') return ''
  const seconds = Math.min((expiresAt - now) / 1000, MAX_VALIDITY_SECONDS)
  return validity === 'relative'
    ? formatSmppRelativeTime(seconds)
    : formatSmppAbsoluteTime(now + Math.max(seconds, MIN_VALIDITY_SECONDS) * 1000)
}

type SourceFields = Pick<SmppFields<'submit_sm'>, 'source' | 'sourceTon' | 'sourceNpi'>

function buildSourceFields(from: string, settings: SmppSettings): SourceFields | undefined {
  if (SHORT_CODE_PATTERN.test(from)) return { source: from, sourceTon: settings.shortTon, sourceNpi: settings.shortNpi }
  if (NUMBER_PATTERN.test(from))
    return { source: from.replace('+', ''), sourceTon: settings.numberTon, sourceNpi: settings.numberNpi }
  if (NAME_PATTERN.test(from)) return { source: from, sourceTon: settings.nameTon, sourceNpi: settings.nameNpi }
  return undefined
}

const buildRefusal = (
  stage: SmppLocalRefusal['stage'],
  enhanced: string,
  code: number,
  reply: string,
): SmppLocalRefusal => ({
  stage,
  enhanced,
  gatewayCode: formatSmppStatus(code),
  reply,
})

/**
 * The reference that the parts of a long message share. The ids of two messages to one handset may be multiples of
 * 1024 apart (those of slices are): the last bits, which alone are sent, differ all the same.
 */
function computeReference({ id }: OutgoingSms): number {
  return id + Math.floor(id / 1024)
}

/** The PDUs that submit a message, or a refusal made here. `now` in milliseconds. */
export function toSubmitSmPdus(
  sms: OutgoingSms,
  settings: SmppSettings,
  now: number,
): SubmitSmPdu[] | SmppLocalRefusal {
  if (!DESTINATION_PATTERN.test(sms.to))
    return buildRefusal('rcpt', '5.1.1', smppStatusCodes.ESME_RINVDSTADR, 'The number of the contact is not valid.')
  const source = buildSourceFields(sms.from, settings)
  if (source === undefined)
    return buildRefusal(
      'mail',
      '5.0.0',
      smppStatusCodes.ESME_RINVSRCADR,
      'The sender is neither a number nor a name of 1 to 11 characters.',
    )
  const parts = splitSmppText(sms, computeReference(sms), settings)
  if (parts.length > 255)
    return buildRefusal(
      'data',
      '5.0.0',
      smppStatusCodes.ESME_RINVMSGLEN,
      `The text takes ${parts.length} segments; at most 255 can be sent.`,
    )
  const commonFields = {
    serviceType: settings.serviceType,
    ...source,
    destinationTon: settings.destinationTon,
    destinationNpi: settings.destinationNpi,
    destination: sms.to.replace('+', ''),
    protocolId: 0,
    priority: 0,
    scheduled: '',
    validity: formatValidity(sms, settings, now),
    registeredDelivery: RECEIPT_REQUESTS[settings.receipts],
    replace: 0,
    defaultMessage: 0,
  }
  return parts.map(({ dataCoding, hasHeader, shortMessage, tlvs }) => ({
    fields: { ...commonFields, esmClass: hasHeader ? UDHI_FLAG : 0, dataCoding, shortMessage },
    tlvs,
  }))
}
