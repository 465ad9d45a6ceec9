import type { TSchema } from 'typebox'
import type { GatewayChannelName } from './gateway.ts'
import type { ParsedGateway } from './open.ts'
import type { GatewayRemote } from './remote.ts'
import type { SmsCallbackContent, SmsCallbackRequest } from './sms-http/hook.ts'

/** A row of `gateways`, with its secrets unsealed. */
export interface GatewayRow {
  name: string
  kind: string
  channel: GatewayChannelName
  settings: unknown
  secrets?: unknown
  /** Its hosts were given over the interface: each connection looks at the addresses behind them. */
  guarded?: boolean
}

/** How the receipts and replies of a gateway are received that come as HTTP requests. */
export interface GatewayCallback {
  /** The last part of its address, which authenticates the caller. */
  token: string
  /** Whether the signature is right; always, when the gateway has no secret for it. */
  isSigned(request: SmsCallbackRequest, signature: string | undefined): boolean
  /** Undefined: it is no callback. `now` in milliseconds. */
  read(request: SmsCallbackRequest, now: number): SmsCallbackContent | undefined
}

/**
 * The description of a kind of gateway, available before one is opened. How it is opened is in open.ts: sender threads need
 * that, and not the schemas.
 */
export interface GatewayDefinition {
  kind: ParsedGateway['kind']
  channels: readonly GatewayChannelName[]
  /** Absent: it has none. Nothing in them is secret. */
  settings?: TSchema
  /** Kept sealed. Absent: it has none. */
  secrets?: TSchema
  /** Throws invalid or badRequestProblem when the settings or secrets are not those of this kind. */
  read(row: GatewayRow): ParsedGateway
  /** What its settings name to connect to; absent: none of them does. Throws as `read` does. */
  remotes?(row: GatewayRow): GatewayRemote[]
  /** Whether it cannot be set up without an address or a file of settings; otherwise the defaults do. */
  needsAddress: boolean
  /** Throws badRequestProblem `url`. A kind without it is configured by a file only. */
  parseUrl?(url: string): { settings: object; secrets: object | undefined }
  /** How callbacks are read. A kind without it has none. */
  hook?(row: GatewayRow): GatewayCallback | undefined
  /** Whether the remote takes a message once however often it is sent: then one whose outcome is unknown is sent again. */
  isIdempotent: boolean
}
