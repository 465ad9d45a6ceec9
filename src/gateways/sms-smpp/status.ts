import type { SendStage } from '../gateway.ts'

/**
 * The meaning of a command_status for a message. `retryThrottled`: repeat it more slowly. `retryLater`: deferred. `never`: refused, with the stage.
 * `notBound`: the connection is unusable.
 */
export type SmppStatusVerdict =
  | { kind: 'throttled' | 'later' | 'unbound' }
  | { kind: 'never'; stage: SendStage; enhanced: string }

/** Our settings are refused, whatever the message and the contact. */
const settingsRefused: SmppStatusVerdict = { kind: 'never', stage: 'connect', enhanced: '5.0.0' }
const senderRefused: SmppStatusVerdict = { kind: 'never', stage: 'mail', enhanced: '5.0.0' }
const contactRefused: SmppStatusVerdict = { kind: 'never', stage: 'rcpt', enhanced: '5.0.0' }
const contactUnknown: SmppStatusVerdict = { kind: 'never', stage: 'rcpt', enhanced: '5.1.1' }
const contentRefused: SmppStatusVerdict = { kind: 'never', stage: 'data', enhanced: '5.0.0' }
const retryLater: SmppStatusVerdict = { kind: 'later' }
const retryThrottled: SmppStatusVerdict = { kind: 'throttled' }
const notBound: SmppStatusVerdict = { kind: 'unbound' }

/** The values of command_status (SMPP 3.4, table 5-2). */
const commandStatuses = {
  ESME_RINVMSGLEN: [0x01, contentRefused],
  ESME_RINVCMDLEN: [0x02, settingsRefused],
  ESME_RINVCMDID: [0x03, settingsRefused],
  ESME_RINVBNDSTS: [0x04, notBound],
  ESME_RALYBND: [0x05, notBound],
  ESME_RINVPRTFLG: [0x06, settingsRefused],
  ESME_RINVREGDLVFLG: [0x07, settingsRefused],
  ESME_RSYSERR: [0x08, retryLater],
  ESME_RINVSRCADR: [0x0a, senderRefused],
  ESME_RINVDSTADR: [0x0b, contactUnknown],
  ESME_RINVMSGID: [0x0c, settingsRefused],
  ESME_RBINDFAIL: [0x0d, notBound],
  ESME_RINVPASWD: [0x0e, notBound],
  ESME_RINVSYSID: [0x0f, notBound],
  ESME_RCANCELFAIL: [0x11, settingsRefused],
  ESME_RREPLACEFAIL: [0x13, settingsRefused],
  ESME_RMSGQFUL: [0x14, retryThrottled],
  ESME_RINVSERTYP: [0x15, settingsRefused],
  ESME_RINVNUMDESTS: [0x33, settingsRefused],
  ESME_RINVDLNAME: [0x34, settingsRefused],
  ESME_RINVDESTFLAG: [0x40, settingsRefused],
  ESME_RINVSUBREP: [0x42, settingsRefused],
  ESME_RINVESMCLASS: [0x43, settingsRefused],
  ESME_RCNTSUBDL: [0x44, settingsRefused],
  ESME_RSUBMITFAIL: [0x45, contactRefused],
  ESME_RINVSRCTON: [0x48, senderRefused],
  ESME_RINVSRCNPI: [0x49, senderRefused],
  ESME_RINVDSTTON: [0x50, settingsRefused],
  ESME_RINVDSTNPI: [0x51, settingsRefused],
  ESME_RINVSYSTYP: [0x53, settingsRefused],
  ESME_RINVREPFLAG: [0x54, settingsRefused],
  ESME_RINVNUMMSGS: [0x55, settingsRefused],
  ESME_RTHROTTLED: [0x58, retryThrottled],
  ESME_RINVSCHED: [0x61, settingsRefused],
  ESME_RINVEXPIRY: [0x62, settingsRefused],
  ESME_RINVDFTMSGID: [0x63, settingsRefused],
  ESME_RX_T_APPN: [0x64, retryLater],
  ESME_RX_P_APPN: [0x65, contactRefused],
  ESME_RX_R_APPN: [0x66, contactRefused],
  ESME_RQUERYFAIL: [0x67, settingsRefused],
  ESME_RINVOPTPARSTREAM: [0xc0, settingsRefused],
  ESME_ROPTPARNOTALLWD: [0xc1, settingsRefused],
  ESME_RINVPARLEN: [0xc2, settingsRefused],
  ESME_RMISSINGOPTPARAM: [0xc3, settingsRefused],
  ESME_RINVOPTPARAMVAL: [0xc4, settingsRefused],
  ESME_RDELIVERYFAILURE: [0xfe, contactRefused],
  ESME_RUNKNOWNERR: [0xff, retryLater],
} as const satisfies Record<string, readonly [number, SmppStatusVerdict]>

type CommandStatusName = keyof typeof commandStatuses

/** Every status by its name. */
export const smppStatusCodes = Object.fromEntries(
  Object.entries(commandStatuses).map(([name, [code]]) => [name, code]),
) as Readonly<Record<CommandStatusName, number>>

const statusesByCode = new Map<number, { name: string; verdict: SmppStatusVerdict }>(
  Object.entries(commandStatuses).map(([name, [code, verdict]]) => [code, { name, verdict }]),
)

/** `ESME_RINVDSTADR`, or the number of a status the standard does not name: `0x00000401`. */
export function formatSmppStatus(code: number): string {
  return statusesByCode.get(code)?.name ?? `0x${code.toString(16).padStart(8, '0').toUpperCase()}`
}

/** Classifies a status other than 0. A status that the standard does not define concerns the message, unless it is in `retried`. */
export function classifySmppStatus(code: number, retried: readonly number[] = []): SmppStatusVerdict {
  return retried.includes(code) ? retryLater : (statusesByCode.get(code)?.verdict ?? contactRefused)
}
