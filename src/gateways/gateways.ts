import { randomBytes } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import { type MailDns, openDns } from '../lib/dns.ts'
import { type Reach, reachOf } from '../lib/guarded-client.ts'
import { nearest } from '../lib/nearest.ts'
import { badRequest } from '../lib/problem.ts'
import { openCaptureGateway } from './capture.ts'
import type { Channel, Gateway, Inbox, WarmUp } from './gateway.ts'
import { type HookItems, type HookRequest, isSigned, readHook } from './sms-http/hook.ts'
import { openSmsHttpGateway } from './sms-http/http.ts'
import { readSmsHttp } from './sms-http/settings.ts'
import { parseSmppUrl, readSmppSecrets, readSmppSettings } from './sms-smpp/settings.ts'
import { openSmppGateway } from './sms-smpp/smpp.ts'
import { parseSmtpUrl, readSmtpSecrets, readSmtpSettings } from './smtp/settings.ts'
import { openSmtpGateway } from './smtp/smtp.ts'
import { builtIn, type DestinationTable } from './smtp-direct/destination-table.ts'
import { openSmtpDirectGateway } from './smtp-direct/direct.ts'
import { fetchPolicyFrom } from './smtp-direct/mta-sts.ts'
import { readSmtpDirectSettings } from './smtp-direct/settings.ts'

/** A row of `gateways`, with its secrets unsealed. */
export interface GatewayRow {
  name: string
  kind: string
  channel: Channel
  settings: unknown
  secrets?: unknown
}

/** What a gateway may use of the program. */
export interface GatewayContext {
  dataDir: string
  clock: Clock
  /**
   * Where receipts and replies go. With it a gateway on which they come stays connected, work or no work; without it
   * they are left with the remote.
   */
  inbox?: Inbox
  /** Absent: the name servers of the machine. */
  dns?: MailDns
  /** Absent: everything public. */
  reach?: Reach
  /** Absent: the one that is built in. */
  destinations?: DestinationTable
  /** Absent: no sending domain is young. */
  warmUp?: WarmUp
}

interface Kind {
  channels: readonly Channel[]
  /** Throws invalid when the settings or secrets are not those of this kind. */
  open(row: GatewayRow, context: GatewayContext): Gateway
  /** Throws badRequest `url`. A kind without it is configured by a file only. */
  parseUrl?(url: string): { settings: object; secrets: object | undefined }
  /** How callbacks are read. A kind without it has none. */
  hook?(row: GatewayRow): Hook | undefined
}

/** The door of a gateway whose receipts and replies come as HTTP requests. */
export interface Hook {
  /** The last part of its address: who knows it may speak. */
  token: string
  /** Whether the signature is right; always, when the gateway has no secret for it. */
  isSigned(request: HookRequest, signature: string | undefined): boolean
  /** Undefined: it is no callback. `now` in milliseconds. */
  read(request: HookRequest, now: number): HookItems | undefined
}

function smsHttpHook(row: GatewayRow): Hook | undefined {
  const { settings, secrets } = readSmsHttp(row.settings, row.secrets)
  const { hookToken, hookSecret } = secrets
  if (hookToken === undefined) return undefined
  return {
    token: hookToken,
    isSigned: (request, signature) => hookSecret === undefined || isSigned(hookSecret, request, signature),
    read: (request, now) => readHook(request, settings, now),
  }
}

function openDirect(name: string, settings: unknown, context: GatewayContext): Gateway {
  const { clock, dns = openDns(), reach = reachOf([]), destinations: table = builtIn, warmUp } = context
  const parts = { clock, dns, table, fetchPolicy: fetchPolicyFrom(reach), ...(warmUp && { warmUp }) }
  return openSmtpDirectGateway(name, readSmtpDirectSettings(settings), parts)
}

/** Every kind of gateway there is. */
const kinds: Readonly<Record<string, Kind>> = {
  smtp: {
    channels: ['email'],
    open: ({ name, settings, secrets }) => openSmtpGateway(name, readSmtpSettings(settings), readSmtpSecrets(secrets)),
    parseUrl: parseSmtpUrl,
  },
  'smtp-direct': {
    channels: ['email'],
    open: ({ name, settings }, context) => openDirect(name, settings, context),
  },
  'sms-smpp': {
    channels: ['sms'],
    open: ({ name, settings, secrets }, context) => {
      const centre = { settings: readSmppSettings(settings), secrets: readSmppSecrets(secrets) }
      return openSmppGateway(name, centre, context)
    },
    parseUrl: parseSmppUrl,
  },
  'sms-http': {
    channels: ['sms'],
    open: ({ name, settings, secrets }, context) => openSmsHttpGateway(name, readSmsHttp(settings, secrets), context),
    hook: smsHttpHook,
  },
  capture: {
    channels: ['email', 'sms', 'rcs', 'notification'],
    open: ({ name, channel }, context) => openCaptureGateway(name, channel, context),
  },
}

export const gatewayKinds: readonly string[] = Object.keys(kinds)

function kindFor(name: string, channel: Channel): Kind {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (kind === undefined)
    throw badRequest('kind', `"${name}" is no kind of gateway; did you mean ${nearest(name, gatewayKinds)}?`)
  if (!kind.channels.includes(channel))
    throw badRequest('channel', `${name} carries ${kind.channels.join(', ')}, not ${channel}`)
  return kind
}

/** Opens a gateway; nothing is connected yet. Throws badRequest or invalid naming what is wrong with the row. */
export function openGateway(row: GatewayRow, context: GatewayContext): Gateway {
  return kindFor(row.kind, row.channel).open(row, context)
}

/** How the callbacks of a gateway are read; undefined when it has none. Throws as openGateway does. */
export function hookOf(row: GatewayRow): Hook | undefined {
  return kindFor(row.kind, row.channel).hook?.(row)
}

/** The row with a token for its callbacks (24 random octets), when its kind has callbacks and the row no token. */
export function withHookToken(row: GatewayRow): GatewayRow {
  const secrets = typeof row.secrets === 'object' && row.secrets !== null ? row.secrets : {}
  if (kindFor(row.kind, row.channel).hook === undefined || 'hookToken' in secrets) return row
  return { ...row, secrets: { ...secrets, hookToken: randomBytes(24).toString('base64url') } }
}

/** The channel of a kind that has only one; undefined for others, and for what is no kind. */
export function soleChannel(kind: string): Channel | undefined {
  const { channels = [] } = Object.hasOwn(kinds, kind) ? kinds[kind]! : {}
  return channels.length === 1 ? channels[0] : undefined
}

/** The row for `gateways add --kind … --url …`. Throws badRequest; the password is never in it. */
export function parseGatewayUrl(name: string, channel: Channel, kind: string, url: string): GatewayRow {
  const parse = kindFor(kind, channel).parseUrl
  if (parse === undefined) throw badRequest('url', `a ${kind} gateway has no address; describe it in a file`)
  return { name, kind, channel, ...parse(url) }
}
