import { queryOptions } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { buildMergePatch, buildSchemaDefaults, listSchemaPointers, type SettingSchema } from './schema.ts'

export type ApiGateway = ApiAnswer<'listGateways'>[number]
export type ApiGatewayChannel = ApiGateway['channel']
type KindAnswer = ApiAnswer<'listGatewayKinds'>[number]
export interface ApiGatewayKind extends Omit<KindAnswer, 'settings' | 'secrets'> {
  settings: SettingSchema | null
  secrets: SettingSchema | null
}

/** A gateway as its form edits it. */
export interface GatewayForm {
  kind: string
  channel: ApiGatewayChannel
  name: string
  scope: ApiGateway['scope']
  settings: Record<string, unknown>
  /** Those to be written; null takes one away. What is set is never read. */
  secrets: Record<string, string | null>
}

export const GATEWAY_CHANNEL_ORDER: readonly ApiGatewayChannel[] = ['email', 'sms', 'rcs', 'notification']

export const gatewaysQuery = queryOptions({
  queryKey: ['gateways'],
  queryFn: ({ signal }) => apiClient.listGateways({ signal }),
})

export const gatewayKindsQuery = queryOptions({
  queryKey: ['gateways', 'kinds'],
  queryFn: async ({ signal }) => (await apiClient.listGatewayKinds({ signal })) as ApiGatewayKind[],
  staleTime: Number.POSITIVE_INFINITY,
})

/** Current defaults of relays if those of their protocol are outdated. */
const PREFERRED_DEFAULTS: Readonly<Record<string, Record<string, unknown>>> = { smtp: { port: 587, tls: 'required' } }

/** A gateway that is still to be made. */
export function createBlankGateway({ kind, channels: [channel = 'email'], settings }: ApiGatewayKind): GatewayForm {
  const initialSettings = { ...buildSchemaDefaults(settings ?? {}), ...PREFERRED_DEFAULTS[kind] }
  return { kind, channel, name: '', scope: 'account', settings: initialSettings, secrets: {} }
}

/** Drafts and comparisons hold no secrets. */
export const omitGatewaySecrets = (document: GatewayForm): GatewayForm => ({ ...document, secrets: {} })

export const listGatewayPointers = ({ settings, secrets }: ApiGatewayKind): string[] => [
  '/name',
  '/channel',
  '/scope',
  '/secrets',
  ...listSchemaPointers(settings ?? {}, '/settings'),
  ...listSchemaPointers(secrets ?? {}, '/secrets'),
]

function toGatewayForm({ kind, channel, name, scope, settings }: ApiGateway): GatewayForm {
  return { kind, channel, name, scope, settings: settings ?? {}, secrets: {} }
}

export interface GatewayFormSource extends StoredDocument<GatewayForm> {
  gateway: ApiGateway
}

export async function loadGatewayForm(id: string): Promise<GatewayFormSource> {
  const { data: gateway, etag } = await readVersionedAnswer(apiClient.getGateway, { path: { id } })
  return { gateway, data: toGatewayForm(gateway), etag }
}

/** Secrets that were typed, or are to be taken away. */
function buildSecretChanges({ secrets }: GatewayForm): { secrets?: Record<string, string | null> } {
  const changedSecrets = Object.entries(secrets).filter(([, value]) => value !== '')
  return changedSecrets.length === 0 ? {} : { secrets: Object.fromEntries(changedSecrets) }
}

export async function createGatewayFromForm(document: GatewayForm): Promise<ApiAnswer<'createGateway'>> {
  const { kind, channel, name, scope, settings } = document
  const hostName = typeof settings['host'] === 'string' ? settings['host'] : kind
  const body = { kind, channel, name: name || hostName || kind, scope, settings: buildMergePatch({}, settings) }
  return apiClient.createGateway({
    body: { ...body, ...buildSecretChanges(document) } as ApiRequestBody<'createGateway'>,
  })
}

/** Writes what differs from what was read. */
export async function saveGatewayForm(id: string, before: GatewayForm, after: GatewayForm, etag: string | null) {
  const changedSettings = buildMergePatch(before.settings, after.settings)
  const headers = etag === null ? {} : { 'if-match': etag }
  const body = {
    name: after.name,
    settings: changedSettings,
    ...buildSecretChanges(after),
  } as ApiRequestBody<'updateGateway'>
  await apiClient.updateGateway({ path: { id }, body, headers })
  return loadGatewayForm(id)
}

/** Returns the gateway that carries a channel of this account; `undefined` if its messages are captured. */
export const findChannelCarrier = (
  gateways: readonly ApiGateway[],
  channel: ApiGatewayChannel,
): ApiGateway | undefined => gateways.find((candidate) => candidate.channel === channel && candidate.carries)

/** Returns the gateway that will carry the channel after this one is removed; `undefined` if its messages will be captured. */
export const findNextCarrier = (gateways: readonly ApiGateway[], removedGateway: ApiGateway): ApiGateway | undefined =>
  gateways.find((candidate) => candidate.channel === removedGateway.channel && candidate.id !== removedGateway.id)
