import { randomBytes } from 'node:crypto'
import { badRequest } from '../lib/errors/problem.ts'
import { nearest } from '../lib/text/nearest.ts'
import { capture } from './capture/definition.ts'
import type { GatewayDefinition, GatewayRow, Hook } from './definition.ts'
import type { Gateway, GatewayChannel } from './gateway.ts'
import { type GatewayContext, openRead, type ReadGateway } from './open.ts'
import { pushApns } from './push-apns/definition.ts'
import { pushFcm } from './push-fcm/definition.ts'
import { pushHttp } from './push-http/definition.ts'
import { pushWeb } from './push-web/definition.ts'
import { rcsGoogle } from './rcs-google/definition.ts'
import type { Remote } from './remote.ts'
import { smsHttp } from './sms-http/definition.ts'
import { smsSmpp } from './sms-smpp/definition.ts'
import { smtp } from './smtp/definition.ts'
import { smtpDirect } from './smtp-direct/definition.ts'

/** Every kind of gateway there is. */
export const gatewayDefinitions: readonly GatewayDefinition[] = [
  smtp,
  smtpDirect,
  smsSmpp,
  smsHttp,
  rcsGoogle,
  pushFcm,
  pushApns,
  pushWeb,
  pushHttp,
  capture,
]

function definitionOf(kind: string): GatewayDefinition | undefined {
  return gatewayDefinitions.find((definition) => definition.kind === kind)
}

/** Throws badRequest when there is no such kind, or it does not carry the channel. */
export function definitionFor(kind: string, channel: GatewayChannel): GatewayDefinition {
  const definition = definitionOf(kind)
  if (definition === undefined) {
    const kinds = gatewayDefinitions.map((known) => known.kind)
    throw badRequest('kind', `"${kind}" is no kind of gateway; did you mean ${nearest(kind, kinds)}?`)
  }
  if (!definition.channels.includes(channel))
    throw badRequest('channel', `${kind} carries ${definition.channels.join(', ')}, not ${channel}`)
  return definition
}

/** What a row says, whole. Throws badRequest or invalid naming what is wrong with the row. */
export function readGateway(row: GatewayRow): ReadGateway {
  const definition = definitionFor(row.kind, row.channel)
  const { isIdempotent } = definition
  return { ...definition.read(row), isIdempotent, ...(row.guarded && { guarded: true }) }
}

/** Opens a gateway; nothing is connected yet. Throws as readGateway does. */
export async function openGateway(row: GatewayRow, context: GatewayContext): Promise<Gateway> {
  return openRead(readGateway(row), context)
}

/** How the callbacks of a gateway are read; undefined when it has none. Throws as readGateway does. */
export function hookOf(row: GatewayRow): Hook | undefined {
  return definitionFor(row.kind, row.channel).hook?.(row)
}

/** What a gateway connects to, as far as its settings say. Throws as readGateway does. */
export function remotesOf(row: GatewayRow): Remote[] {
  return definitionFor(row.kind, row.channel).remotes?.(row) ?? []
}

/** The row with a token for its callbacks (24 random octets), when its kind has callbacks and the row no token. */
export function withHookToken(row: GatewayRow): GatewayRow {
  const secrets = typeof row.secrets === 'object' && row.secrets !== null ? row.secrets : {}
  if (definitionFor(row.kind, row.channel).hook === undefined || 'hookToken' in secrets) return row
  return { ...row, secrets: { ...secrets, hookToken: randomBytes(24).toString('base64url') } }
}

/** The channel of a kind that has only one; undefined for others, and for an unknown kind. */
export function soleChannel(kind: string): GatewayChannel | undefined {
  const { channels = [] } = definitionOf(kind) ?? {}
  return channels.length === 1 ? channels[0] : undefined
}

/** Whether a gateway of this kind needs an address, or a file of settings; so says an unknown kind, too. */
export function needsAddress(kind: string): boolean {
  return definitionOf(kind)?.needsAddress ?? true
}

/** The row for `gateways add --kind … --url …`. Throws badRequest; the password is never in it. */
export function parseGatewayUrl(name: string, channel: GatewayChannel, kind: string, url: string): GatewayRow {
  const parse = definitionFor(kind, channel).parseUrl
  if (parse === undefined) throw badRequest('url', `a ${kind} gateway has no address; describe it in a file`)
  return { name, kind, channel, ...parse(url) }
}
