import { queryOptions } from '@tanstack/react-query'
import { api, data, versioned } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import type { Stored } from '../../components/form/use-form.ts'
import { defaultsOf, patchOf, pointersOf, type Schema } from './schema.ts'

export type Gateway = Answer<'/gateways', 'get'>[number]
export type GatewayChannel = Gateway['channel']
type KindAnswer = Answer<'/gateways/kinds', 'get'>[number]
export interface Kind extends Omit<KindAnswer, 'settings' | 'secrets'> {
  settings: Schema | null
  secrets: Schema | null
}

/** A gateway as its form edits it. */
export interface GatewayDocument {
  kind: string
  channel: GatewayChannel
  name: string
  scope: Gateway['scope']
  settings: Record<string, unknown>
  /** Those to be written; null takes one away. What is set is never read. */
  secrets: Record<string, string | null>
}

export const channels: readonly GatewayChannel[] = ['email', 'sms', 'rcs', 'notification']

export const gatewaysQuery = queryOptions({
  queryKey: ['gateways'],
  queryFn: ({ signal }) => data(api.GET('/gateways', { signal })),
})

export const kindsQuery = queryOptions({
  queryKey: ['gateways', 'kinds'],
  queryFn: async ({ signal }) => (await data(api.GET('/gateways/kinds', { signal }))) as Kind[],
  staleTime: Number.POSITIVE_INFINITY,
})

/** What relays ask for today, where their protocol's own defaults are older. */
const BEGINNINGS: Readonly<Record<string, Record<string, unknown>>> = { smtp: { port: 587, tls: 'required' } }

/** A gateway that is still to be made. */
export function blankOf({ kind, channels: [channel = 'email'], settings }: Kind): GatewayDocument {
  const own = { ...defaultsOf(settings ?? {}), ...BEGINNINGS[kind] }
  return { kind, channel, name: '', scope: 'account', settings: own, secrets: {} }
}

/** Drafts and comparisons hold no secrets. */
export const withoutSecrets = (document: GatewayDocument): GatewayDocument => ({ ...document, secrets: {} })

export const pointersOfKind = ({ settings, secrets }: Kind): string[] => [
  ...['/name', '/channel', '/scope', '/secrets'],
  ...pointersOf(settings ?? {}, '/settings'),
  ...pointersOf(secrets ?? {}, '/secrets'),
]

function documentOf({ kind, channel, name, scope, settings }: Gateway): GatewayDocument {
  return { kind, channel, name, scope, settings: settings ?? {}, secrets: {} }
}

export interface Loaded extends Stored<GatewayDocument> {
  gateway: Gateway
}

export async function loadGateway(id: string): Promise<Loaded> {
  const { data: gateway, etag } = await versioned(api.GET('/gateways/{id}', { params: { path: { id } } }))
  return { gateway, data: documentOf(gateway), etag }
}

/** Secrets that were typed, or are to be taken away. */
function writtenSecrets({ secrets }: GatewayDocument): { secrets?: Record<string, string | null> } {
  const written = Object.entries(secrets).filter(([, value]) => value !== '')
  return written.length === 0 ? {} : { secrets: Object.fromEntries(written) }
}

export async function makeGateway(document: GatewayDocument): Promise<Answer<'/gateways', 'post'>> {
  const { kind, channel, name, scope, settings } = document
  const host = typeof settings['host'] === 'string' ? settings['host'] : kind
  const body = { kind, channel, name: name || host || kind, scope, settings: patchOf({}, settings) }
  return data(api.POST('/gateways', { body: { ...body, ...writtenSecrets(document) } as Body<'/gateways', 'post'> }))
}

/** Writes what differs from what was read. */
export async function saveGateway(id: string, before: GatewayDocument, after: GatewayDocument, etag: string | null) {
  const settings = patchOf(before.settings, after.settings)
  const headers = etag === null ? {} : { 'if-match': etag }
  const body = { name: after.name, settings, ...writtenSecrets(after) } as Body<'/gateways/{id}', 'put'>
  await data(api.PUT('/gateways/{id}', { params: { path: { id } }, body, headers }))
  return loadGateway(id)
}

/** Which gateway carries a channel of this account; undefined: its messages are captured. */
export const carrierOf = (gateways: readonly Gateway[], channel: GatewayChannel): Gateway | undefined =>
  gateways.find((one) => one.channel === channel && one.carries)

/** Which gateway carries the channel once this one is gone; undefined: its messages are captured. */
export const carrierWithout = (gateways: readonly Gateway[], gone: Gateway): Gateway | undefined =>
  gateways.find((one) => one.channel === gone.channel && one.id !== gone.id)
