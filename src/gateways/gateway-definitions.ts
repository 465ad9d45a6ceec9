import { randomBytes } from 'node:crypto'
import { badRequestProblem } from '../lib/errors/problem.ts'
import { findNearestWord } from '../lib/text/nearest.ts'
import { captureDefinition } from './capture/definition.ts'
import type { GatewayCallback, GatewayDefinition, GatewayRow } from './definition.ts'
import type { GatewayChannelName, MessageGateway } from './gateway.ts'
import { type GatewayContext, openParsedGateway, type ParsedGateway } from './open.ts'
import { pushApnsDefinition } from './push-apns/definition.ts'
import { pushFcmDefinition } from './push-fcm/definition.ts'
import { pushHttpDefinition } from './push-http/definition.ts'
import { pushWebDefinition } from './push-web/definition.ts'
import { rcsGoogleDefinition } from './rcs-google/definition.ts'
import type { GatewayRemote } from './remote.ts'
import { smsHttpDefinition } from './sms-http/definition.ts'
import { smsSmppDefinition } from './sms-smpp/definition.ts'
import { smtpDefinition } from './smtp/definition.ts'
import { smtpDirectDefinition } from './smtp-direct/definition.ts'

/** Every kind of gateway there is. */
export const gatewayDefinitions: readonly GatewayDefinition[] = [
  smtpDefinition,
  smtpDirectDefinition,
  smsSmppDefinition,
  smsHttpDefinition,
  rcsGoogleDefinition,
  pushFcmDefinition,
  pushApnsDefinition,
  pushWebDefinition,
  pushHttpDefinition,
  captureDefinition,
]

function findDefinition(kind: string): GatewayDefinition | undefined {
  return gatewayDefinitions.find((definition) => definition.kind === kind)
}

/** Throws badRequestProblem when there is no such kind, or it does not carry the channel. */
export function requireGatewayDefinition(kind: string, channel: GatewayChannelName): GatewayDefinition {
  const definition = findDefinition(kind)
  if (definition === undefined) {
    const knownKinds = gatewayDefinitions.map((gatewayDefinition) => gatewayDefinition.kind)
    throw badRequestProblem(
      'kind',
      `"${kind}" is not a kind of gateway; did you mean ${findNearestWord(kind, knownKinds)}?`,
    )
  }
  if (!definition.channels.includes(channel))
    throw badRequestProblem('channel', `${kind} carries ${definition.channels.join(', ')}, not ${channel}`)
  return definition
}

/** Parses a complete row. Throws a Problem (`badRequestProblem` or `invalid`) that names the fault in the row. */
export function readGatewayRow(row: GatewayRow): ParsedGateway {
  const definition = requireGatewayDefinition(row.kind, row.channel)
  const { isIdempotent } = definition
  return { ...definition.read(row), isIdempotent, ...(row.guarded && { guarded: true }) }
}

/** Opens a gateway; nothing is connected yet. Throws as readGatewayRow does. */
export async function openGateway(row: GatewayRow, context: GatewayContext): Promise<MessageGateway> {
  return openParsedGateway(readGatewayRow(row), context)
}

/** Finds the callback parser of a gateway; `undefined` if it does not have one. Throws the same errors as `readGatewayRow`. */
export function findGatewayCallback(row: GatewayRow): GatewayCallback | undefined {
  return requireGatewayDefinition(row.kind, row.channel).hook?.(row)
}

/** Lists the remotes named in a gateway's settings. Throws the same errors as `readGatewayRow`. */
export function listGatewayRemotes(row: GatewayRow): GatewayRemote[] {
  return requireGatewayDefinition(row.kind, row.channel).remotes?.(row) ?? []
}

/** The row with a token for its callbacks (24 random octets), when its kind has callbacks and the row no token. */
export function addCallbackToken(row: GatewayRow): GatewayRow {
  const secrets = typeof row.secrets === 'object' && row.secrets !== null ? row.secrets : {}
  if (requireGatewayDefinition(row.kind, row.channel).hook === undefined || 'hookToken' in secrets) return row
  return { ...row, secrets: { ...secrets, hookToken: randomBytes(24).toString('base64url') } }
}

/** The channel of a kind that has only one; undefined for others, and for an unknown kind. */
export function findSoleChannel(kind: string): GatewayChannelName | undefined {
  const { channels: supportedChannels = [] } = findDefinition(kind) ?? {}
  return supportedChannels.length === 1 ? supportedChannels[0] : undefined
}

/** Returns true if a gateway of this kind requires an address or a settings file, and true for an unknown kind. */
export function needsGatewayAddress(kind: string): boolean {
  return findDefinition(kind)?.needsAddress ?? true
}

/** The row for `gateways add --kind … --url …`. Throws badRequestProblem; the password is never in it. */
export function parseGatewayUrl(name: string, channel: GatewayChannelName, kind: string, url: string): GatewayRow {
  const parseAddress = requireGatewayDefinition(kind, channel).parseUrl
  if (parseAddress === undefined)
    throw badRequestProblem('url', `a ${kind} gateway has no address; describe it in a file`)
  return { name, kind, channel, ...parseAddress(url) }
}
