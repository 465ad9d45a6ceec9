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

/** Receives the receipts and replies of a gateway that arrive as HTTP requests. */
export interface GatewayCallback {
  /** The last part of its address, which authenticates the caller. */
  token: string
  /** Returns true if the signature is valid; always true if the gateway does not have a secret for it. */
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
  /** Schema of the settings; absent: the kind does not have any. Settings are never secret. */
  settings?: TSchema
  /** Schema of the secrets, which are stored sealed; absent: the kind does not have any. */
  secrets?: TSchema
  /** Throws invalid or badRequestProblem when the settings or secrets are not those of this kind. */
  read(row: GatewayRow): ParsedGateway
  /** Lists the remote addresses in the settings; absent: the settings do not contain any. Throws the same errors as `read`. */
  remotes?(row: GatewayRow): GatewayRemote[]
  /** True if an address or a settings file is required for setup; otherwise the defaults are enough. */
  needsAddress: boolean
  /** Throws badRequestProblem `url`. A kind without it is configured by a file only. */
  parseUrl?(url: string): { settings: object; secrets: object | undefined }
  /** Parser of callbacks; absent if the kind does not have any. */
  hook?(row: GatewayRow): GatewayCallback | undefined
  /** True if the remote accepts a message only once, however often it is sent. A message whose outcome is unknown is then sent again. */
  isIdempotent: boolean
}
