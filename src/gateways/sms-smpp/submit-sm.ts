import type { OutgoingSms, RefusedDelivery } from '../gateway.ts'
import type { SmppFields } from './commands.ts'
import type { SmppSettings } from './settings.ts'
import { formatSmppStatus, smppStatusCodes as statuses } from './status.ts'
import { type SmppTextPart, splitSmppText } from './text.ts'

/** One submit_sm: a whole message, or a part of a long one. */
export interface SubmitSmPdu {
  fields: SmppFields<'submit_sm'>
  tlvs: SmppTextPart['tlvs']
}

/** Why this message must not be submitted at all. */
export type SmppLocalRefusal = Pick<RefusedDelivery, 'stage' | 'enhanced' | 'reply' | 'gatewayCode'>

const DESTINATION = /^\+?\d{3,20}$/
const NUMBER = /^\+\d{3,20}$|^\d{9,20}$/
const SHORT = /^\d{3,8}$/
const NAME = /^[\x20-\x7e]{1,11}$/

const UDHI = 0x40

/** registered_delivery (5.2.17). */
const RECEIPTS = { none: 0, all: 1, failures: 2 } as const

const DAY_S = 86_400
const MAX_VALIDITY_S = 30 * DAY_S
const MIN_VALIDITY_S = 60

const pair = (number: number): string => String(number).padStart(2, '0')

/** A time as SMPP writes it (7.1.1), in seconds from now, within what every message centre takes. */
export function formatSmppRelativeTime(seconds: number): string {
  const whole = Math.floor(Math.min(Math.max(seconds, MIN_VALIDITY_S), MAX_VALIDITY_S))
  const [days, rest] = [Math.floor(whole / DAY_S), whole % DAY_S]
  return `0000${pair(days)}${pair(Math.floor(rest / 3600))}${pair(Math.floor(rest / 60) % 60)}${pair(rest % 60)}000R`
}

/** The same at an instant, in milliseconds, of UTC. */
export function formatSmppAbsoluteTime(ms: number): string {
  return `${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}000+`
}

function validityOf({ expiresAt }: OutgoingSms, { validity }: SmppSettings, now: number): string {
  if (expiresAt === undefined || validity === 'none') return ''
  const seconds = Math.min((expiresAt - now) / 1000, MAX_VALIDITY_S)
  return validity === 'relative'
    ? formatSmppRelativeTime(seconds)
    : formatSmppAbsoluteTime(now + Math.max(seconds, MIN_VALIDITY_S) * 1000)
}

type Source = Pick<SmppFields<'submit_sm'>, 'source' | 'sourceTon' | 'sourceNpi'>

function sourceOf(from: string, settings: SmppSettings): Source | undefined {
  if (SHORT.test(from)) return { source: from, sourceTon: settings.shortTon, sourceNpi: settings.shortNpi }
  if (NUMBER.test(from))
    return { source: from.replace('+', ''), sourceTon: settings.numberTon, sourceNpi: settings.numberNpi }
  if (NAME.test(from)) return { source: from, sourceTon: settings.nameTon, sourceNpi: settings.nameNpi }
  return undefined
}

const refuse = (stage: SmppLocalRefusal['stage'], enhanced: string, code: number, reply: string): SmppLocalRefusal => ({
  stage,
  enhanced,
  gatewayCode: formatSmppStatus(code),
  reply,
})

/**
 * The reference that the parts of a long message share. The ids of two messages to one handset may be multiples of
 * 1024 apart (those of slices are): the last bits, which alone are sent, differ all the same.
 */
function referenceOf({ id }: OutgoingSms): number {
  return id + Math.floor(id / 1024)
}

/** The PDUs that submit a message, or a refusal made here. `now` in milliseconds. */
export function toSubmitSmPdus(
  sms: OutgoingSms,
  settings: SmppSettings,
  now: number,
): SubmitSmPdu[] | SmppLocalRefusal {
  if (!DESTINATION.test(sms.to))
    return refuse('rcpt', '5.1.1', statuses.ESME_RINVDSTADR, 'The number of the contact is not valid.')
  const source = sourceOf(sms.from, settings)
  if (source === undefined)
    return refuse(
      'mail',
      '5.0.0',
      statuses.ESME_RINVSRCADR,
      'The sender is neither a number nor a name of 1 to 11 characters.',
    )
  const parts = splitSmppText(sms, referenceOf(sms), settings)
  if (parts.length > 255)
    return refuse(
      'data',
      '5.0.0',
      statuses.ESME_RINVMSGLEN,
      `The text takes ${parts.length} segments; at most 255 can be sent.`,
    )
  const common = {
    serviceType: settings.serviceType,
    ...source,
    destinationTon: settings.destinationTon,
    destinationNpi: settings.destinationNpi,
    destination: sms.to.replace('+', ''),
    protocolId: 0,
    priority: 0,
    scheduled: '',
    validity: validityOf(sms, settings, now),
    registeredDelivery: RECEIPTS[settings.receipts],
    replace: 0,
    defaultMessage: 0,
  }
  return parts.map(({ dataCoding, hasHeader, shortMessage, tlvs }) => ({
    fields: { ...common, esmClass: hasHeader ? UDHI : 0, dataCoding, shortMessage },
    tlvs,
  }))
}
