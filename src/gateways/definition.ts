import type { TSchema } from 'typebox'
import type { GatewayChannel } from './gateway.ts'
import type { ReadGateway } from './open.ts'
import type { Remote } from './remote.ts'
import type { HookItems, HookRequest } from './sms-http/hook.ts'

/** A row of `gateways`, with its secrets unsealed. */
export interface GatewayRow {
  name: string
  kind: string
  channel: GatewayChannel
  settings: unknown
  secrets?: unknown
  /** Its hosts were given over the interface: each connection looks at the addresses behind them. */
  guarded?: boolean
}

/** How the receipts and replies of a gateway are received that come as HTTP requests. */
export interface Hook {
  /** The last part of its address, which authenticates the caller. */
  token: string
  /** Whether the signature is right; always, when the gateway has no secret for it. */
  isSigned(request: HookRequest, signature: string | undefined): boolean
  /** Undefined: it is no callback. `now` in milliseconds. */
  read(request: HookRequest, now: number): HookItems | undefined
}

/**
 * The description of a kind of gateway, available before one is opened. How it is opened is in open.ts: sender threads need
 * that, and not the schemas.
 */
export interface GatewayDefinition {
  kind: ReadGateway['kind']
  channels: readonly GatewayChannel[]
  /** Absent: it has none. Nothing in them is secret. */
  settings?: TSchema
  /** Kept sealed. Absent: it has none. */
  secrets?: TSchema
  /** Throws invalid or badRequest when the settings or secrets are not those of this kind. */
  read(row: GatewayRow): ReadGateway
  /** What its settings name to connect to; absent: none of them does. Throws as `read` does. */
  remotes?(row: GatewayRow): Remote[]
  /** Whether it cannot be set up without an address or a file of settings; otherwise the defaults do. */
  needsAddress: boolean
  /** Throws badRequest `url`. A kind without it is configured by a file only. */
  parseUrl?(url: string): { settings: object; secrets: object | undefined }
  /** How callbacks are read. A kind without it has none. */
  hook?(row: GatewayRow): Hook | undefined
  /** Whether the remote takes a message once however often it is sent: then one whose outcome is unknown is sent again. */
  isIdempotent: boolean
}
