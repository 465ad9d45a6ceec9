import type { SendStage } from '../gateway.ts'

/**
 * What a command_status means for a message. `throttled`: the same again, more slowly. `later`: deferred. `never`:
 * refused, and at which stage. `unbound`: the connection cannot be used.
 */
export type SmppStatusVerdict =
  | { kind: 'throttled' | 'later' | 'unbound' }
  | { kind: 'never'; stage: SendStage; enhanced: string }

/** Our settings are refused, whatever the message and the contact. */
const ours: SmppStatusVerdict = { kind: 'never', stage: 'connect', enhanced: '5.0.0' }
const sender: SmppStatusVerdict = { kind: 'never', stage: 'mail', enhanced: '5.0.0' }
const contact: SmppStatusVerdict = { kind: 'never', stage: 'rcpt', enhanced: '5.0.0' }
const noSuchContact: SmppStatusVerdict = { kind: 'never', stage: 'rcpt', enhanced: '5.1.1' }
const content: SmppStatusVerdict = { kind: 'never', stage: 'data', enhanced: '5.0.0' }
const later: SmppStatusVerdict = { kind: 'later' }
const throttled: SmppStatusVerdict = { kind: 'throttled' }
const unbound: SmppStatusVerdict = { kind: 'unbound' }

/** The values of command_status (SMPP 3.4, table 5-2). */
const statuses = {
  ESME_RINVMSGLEN: [0x01, content],
  ESME_RINVCMDLEN: [0x02, ours],
  ESME_RINVCMDID: [0x03, ours],
  ESME_RINVBNDSTS: [0x04, unbound],
  ESME_RALYBND: [0x05, unbound],
  ESME_RINVPRTFLG: [0x06, ours],
  ESME_RINVREGDLVFLG: [0x07, ours],
  ESME_RSYSERR: [0x08, later],
  ESME_RINVSRCADR: [0x0a, sender],
  ESME_RINVDSTADR: [0x0b, noSuchContact],
  ESME_RINVMSGID: [0x0c, ours],
  ESME_RBINDFAIL: [0x0d, unbound],
  ESME_RINVPASWD: [0x0e, unbound],
  ESME_RINVSYSID: [0x0f, unbound],
  ESME_RCANCELFAIL: [0x11, ours],
  ESME_RREPLACEFAIL: [0x13, ours],
  ESME_RMSGQFUL: [0x14, throttled],
  ESME_RINVSERTYP: [0x15, ours],
  ESME_RINVNUMDESTS: [0x33, ours],
  ESME_RINVDLNAME: [0x34, ours],
  ESME_RINVDESTFLAG: [0x40, ours],
  ESME_RINVSUBREP: [0x42, ours],
  ESME_RINVESMCLASS: [0x43, ours],
  ESME_RCNTSUBDL: [0x44, ours],
  ESME_RSUBMITFAIL: [0x45, contact],
  ESME_RINVSRCTON: [0x48, sender],
  ESME_RINVSRCNPI: [0x49, sender],
  ESME_RINVDSTTON: [0x50, ours],
  ESME_RINVDSTNPI: [0x51, ours],
  ESME_RINVSYSTYP: [0x53, ours],
  ESME_RINVREPFLAG: [0x54, ours],
  ESME_RINVNUMMSGS: [0x55, ours],
  ESME_RTHROTTLED: [0x58, throttled],
  ESME_RINVSCHED: [0x61, ours],
  ESME_RINVEXPIRY: [0x62, ours],
  ESME_RINVDFTMSGID: [0x63, ours],
  ESME_RX_T_APPN: [0x64, later],
  ESME_RX_P_APPN: [0x65, contact],
  ESME_RX_R_APPN: [0x66, contact],
  ESME_RQUERYFAIL: [0x67, ours],
  ESME_RINVOPTPARSTREAM: [0xc0, ours],
  ESME_ROPTPARNOTALLWD: [0xc1, ours],
  ESME_RINVPARLEN: [0xc2, ours],
  ESME_RMISSINGOPTPARAM: [0xc3, ours],
  ESME_RINVOPTPARAMVAL: [0xc4, ours],
  ESME_RDELIVERYFAILURE: [0xfe, contact],
  ESME_RUNKNOWNERR: [0xff, later],
} as const satisfies Record<string, readonly [number, SmppStatusVerdict]>

type StatusName = keyof typeof statuses

/** Every status by its name. */
export const smppStatusCodes = Object.fromEntries(
  Object.entries(statuses).map(([name, [code]]) => [name, code]),
) as Readonly<Record<StatusName, number>>

const byCode = new Map<number, { name: string; verdict: SmppStatusVerdict }>(
  Object.entries(statuses).map(([name, [code, verdict]]) => [code, { name, verdict }]),
)

/** `ESME_RINVDSTADR`, or the number of a status the standard does not name: `0x00000401`. */
export function formatSmppStatus(code: number): string {
  return byCode.get(code)?.name ?? `0x${code.toString(16).padStart(8, '0').toUpperCase()}`
}

/** What a status other than 0 means; one that the standard does not name is about the message, unless it is in `retried`. */
export function classifySmppStatus(code: number, retried: readonly number[] = []): SmppStatusVerdict {
  return retried.includes(code) ? later : (byCode.get(code)?.verdict ?? contact)
}
