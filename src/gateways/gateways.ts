import type { Clock } from '../lib/clock.ts'
import { nearest } from '../lib/nearest.ts'
import { badRequest } from '../lib/problem.ts'
import { openCaptureGateway } from './capture.ts'
import type { Channel, Gateway } from './gateway.ts'
import { parseSmtpUrl, readSmtpSecrets, readSmtpSettings } from './smtp/settings.ts'
import { openSmtpGateway } from './smtp/smtp.ts'

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
}

interface Kind {
  channels: readonly Channel[]
  /** Throws invalid when the settings or secrets are not those of this kind. */
  open(row: GatewayRow, context: GatewayContext): Gateway
  /** Throws badRequest `url`. A kind without it is configured by a file only. */
  parseUrl?(url: string): { settings: object; secrets: object | undefined }
}

/** Every kind of gateway there is. */
const kinds: Readonly<Record<string, Kind>> = {
  smtp: {
    channels: ['email'],
    open: ({ name, settings, secrets }) => openSmtpGateway(name, readSmtpSettings(settings), readSmtpSecrets(secrets)),
    parseUrl: parseSmtpUrl,
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

/** The row for `gateways add --kind … --url …`. Throws badRequest; the password is never in it. */
export function parseGatewayUrl(name: string, channel: Channel, kind: string, url: string): GatewayRow {
  const parse = kindFor(kind, channel).parseUrl
  if (parse === undefined) throw badRequest('url', `a ${kind} gateway has no address`)
  return { name, kind, channel, ...parse(url) }
}
