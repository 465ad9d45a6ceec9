import type { Submitted } from './smpp-server-pdu.ts'

export interface SmppEvent {
  kind: 'bind' | 'submit' | 'enquire'
  /** Number of the connection, from 1 on. */
  connection: number
  /** Of a submission. */
  destination: string
  /** How many submissions to this destination there were, with this one. */
  attempt: number
}

/**
 * undefined: as the standard says. Another status, once `until` is over or `afterMs` later. Anything at all as the answer. The connection ends
 * before the submission is looked at (`drop`) or after it was taken (`take and drop`); no answer ever comes (`stall`),
 * although it was taken (`take and stall`).
 */
export type SmppAnswer =
  | undefined
  | { status: number; until?: Promise<unknown>; afterMs?: number }
  | { raw: Buffer }
  | 'drop'
  | 'take and drop'
  | 'stall'
  | 'take and stall'

export interface SmppServerOptions {
  port?: number
  credentials?: { systemId: string; password: string }
  /** PEM. */
  tls?: { key: string; cert: string }
  behave?: (event: SmppEvent) => SmppAnswer
  /** More unanswered submissions on one bind are noted as a fault. */
  window?: number
  /** The id of the nth submission; default: its number in eight hexadecimal digits. */
  messageId?: (n: number) => string
}

export interface BindRecord {
  connection: number
  kind: 'transceiver' | 'transmitter' | 'receiver'
  systemId: string
  systemType: string
}

/** A message or receipt for the client; what is absent has a usual value. */
export interface Delivered {
  source?: string
  sourceTon?: number
  destination?: string
  destinationTon?: number
  esmClass?: number
  dataCoding?: number
  octets?: Buffer
  tlvs?: [number, Buffer][]
  command?: 'deliver_sm' | 'data_sm'
}

export interface SmppServer {
  port: number
  /** Every bind that was accepted, in order. */
  binds: BindRecord[]
  /** Those whose connection is open. */
  openBinds: Set<BindRecord>
  /** What was taken, in order. */
  submitted: Submitted[]
  /** Whatever the client did that the protocol does not allow. */
  faults: string[]
  /** PDUs the client sent that answer nothing: generic_nack with its status. */
  nacks: { status: number; sequence: number }[]
  enquiries: number
  unbinds: number
  /** Delivers to a bind that receives, and gives the status of the answer; -1: the connection ended instead. */
  deliver(what: Delivered): Promise<number>
  /** Writes octets to every bind, as they are. */
  write(octets: Buffer): void
  /** Asks every client to unbind. */
  unbindAll(): void
  cutAll(): void
  close(): Promise<void>
}
