import { randomBytes } from 'node:crypto'
import { nearest } from '../lib/nearest.ts'
import { badRequest } from '../lib/problem.ts'
import { type Channel, type Gateway, gatewayChannels } from './gateway.ts'
import { type GatewayContext, openRead, type ReadGateway } from './open.ts'
import { type HookItems, type HookRequest, isSigned, readHook } from './sms-http/hook.ts'
import { readSmsHttp } from './sms-http/settings.ts'
import { parseSmppUrl, readSmppSecrets, readSmppSettings } from './sms-smpp/settings.ts'
import { parseSmtpUrl, readSmtpSecrets, readSmtpSettings } from './smtp/settings.ts'
import { readSmtpDirectSettings } from './smtp-direct/settings.ts'

/** A row of `gateways`, with its secrets unsealed. */
export interface GatewayRow {
  name: string
  kind: string
  channel: Channel
  settings: unknown
  secrets?: unknown
}

interface Kind {
  channels: readonly Channel[]
  /** Throws invalid when the settings or secrets are not those of this kind. */
  read(row: GatewayRow): ReadGateway
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

/** Every kind of gateway there is. */
const kinds: Readonly<Record<string, Kind>> = {
  smtp: {
    channels: ['email'],
    read: ({ name, settings, secrets }) => ({
      kind: 'smtp',
      channel: 'email',
      name,
      settings: readSmtpSettings(settings),
      secrets: readSmtpSecrets(secrets),
    }),
    parseUrl: parseSmtpUrl,
  },
  'smtp-direct': {
    channels: ['email'],
    read: ({ name, settings }) => ({
      kind: 'smtp-direct',
      channel: 'email',
      name,
      settings: readSmtpDirectSettings(settings),
    }),
  },
  'sms-smpp': {
    channels: ['sms'],
    read: ({ name, settings, secrets }) => ({
      kind: 'sms-smpp',
      channel: 'sms',
      name,
      settings: readSmppSettings(settings),
      secrets: readSmppSecrets(secrets),
    }),
    parseUrl: parseSmppUrl,
  },
  'sms-http': {
    channels: ['sms'],
    read: ({ name, settings, secrets }) => ({
      kind: 'sms-http',
      channel: 'sms',
      name,
      ...readSmsHttp(settings, secrets),
    }),
    hook: smsHttpHook,
  },
  capture: {
    channels: gatewayChannels,
    read: ({ name, channel }) => ({ kind: 'capture', channel, name }),
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

/** What a row says, whole. Throws badRequest or invalid naming what is wrong with the row. */
export function readGateway(row: GatewayRow): ReadGateway {
  return kindFor(row.kind, row.channel).read(row)
}

/** Opens a gateway; nothing is connected yet. Throws as readGateway does. */
export async function openGateway(row: GatewayRow, context: GatewayContext): Promise<Gateway> {
  return openRead(readGateway(row), context)
}

/** How the callbacks of a gateway are read; undefined when it has none. Throws as readGateway does. */
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
