import { queryOptions } from '@tanstack/react-query'
import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { buildMergePatch, buildSchemaDefaults, listSchemaPointers, type SettingSchema } from './schema.ts'

export type ApiGateway = ApiAnswer<'/gateways', 'get'>[number]
export type ApiGatewayChannel = ApiGateway['channel']
type KindAnswer = ApiAnswer<'/gateways/kinds', 'get'>[number]
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
  queryFn: ({ signal }) => readAnswer(apiClient.GET('/gateways', { signal })),
})

export const gatewayKindsQuery = queryOptions({
  queryKey: ['gateways', 'kinds'],
  queryFn: async ({ signal }) => (await readAnswer(apiClient.GET('/gateways/kinds', { signal }))) as ApiGatewayKind[],
  staleTime: Number.POSITIVE_INFINITY,
})

/** What relays ask for today, where their protocol's own defaults are older. */
const BEGINNINGS: Readonly<Record<string, Record<string, unknown>>> = { smtp: { port: 587, tls: 'required' } }

/** A gateway that is still to be made. */
export function createBlankGateway({ kind, channels: [channel = 'email'], settings }: ApiGatewayKind): GatewayForm {
  const own = { ...buildSchemaDefaults(settings ?? {}), ...BEGINNINGS[kind] }
  return { kind, channel, name: '', scope: 'account', settings: own, secrets: {} }
}

/** Drafts and comparisons hold no secrets. */
export const omitGatewaySecrets = (document: GatewayForm): GatewayForm => ({ ...document, secrets: {} })

export const listGatewayPointers = ({ settings, secrets }: ApiGatewayKind): string[] => [
  ...['/name', '/channel', '/scope', '/secrets'],
  ...listSchemaPointers(settings ?? {}, '/settings'),
  ...listSchemaPointers(secrets ?? {}, '/secrets'),
]

function documentOf({ kind, channel, name, scope, settings }: ApiGateway): GatewayForm {
  return { kind, channel, name, scope, settings: settings ?? {}, secrets: {} }
}

export interface GatewayFormSource extends StoredDocument<GatewayForm> {
  gateway: ApiGateway
}

export async function loadGatewayForm(id: string): Promise<GatewayFormSource> {
  const { data: gateway, etag } = await readVersionedAnswer(
    apiClient.GET('/gateways/{id}', { params: { path: { id } } }),
  )
  return { gateway, data: documentOf(gateway), etag }
}

/** Secrets that were typed, or are to be taken away. */
function writtenSecrets({ secrets }: GatewayForm): { secrets?: Record<string, string | null> } {
  const written = Object.entries(secrets).filter(([, value]) => value !== '')
  return written.length === 0 ? {} : { secrets: Object.fromEntries(written) }
}

export async function createGatewayFromForm(document: GatewayForm): Promise<ApiAnswer<'/gateways', 'post'>> {
  const { kind, channel, name, scope, settings } = document
  const host = typeof settings['host'] === 'string' ? settings['host'] : kind
  const body = { kind, channel, name: name || host || kind, scope, settings: buildMergePatch({}, settings) }
  return readAnswer(
    apiClient.POST('/gateways', {
      body: { ...body, ...writtenSecrets(document) } as ApiRequestBody<'/gateways', 'post'>,
    }),
  )
}

/** Writes what differs from what was read. */
export async function saveGatewayForm(id: string, before: GatewayForm, after: GatewayForm, etag: string | null) {
  const settings = buildMergePatch(before.settings, after.settings)
  const headers = etag === null ? {} : { 'if-match': etag }
  const body = { name: after.name, settings, ...writtenSecrets(after) } as ApiRequestBody<'/gateways/{id}', 'put'>
  await readAnswer(apiClient.PUT('/gateways/{id}', { params: { path: { id } }, body, headers }))
  return loadGatewayForm(id)
}

/** Which gateway carries a channel of this account; undefined: its messages are captured. */
export const findChannelCarrier = (
  gateways: readonly ApiGateway[],
  channel: ApiGatewayChannel,
): ApiGateway | undefined => gateways.find((one) => one.channel === channel && one.carries)

/** Which gateway carries the channel once this one is gone; undefined: its messages are captured. */
export const findNextCarrier = (gateways: readonly ApiGateway[], gone: ApiGateway): ApiGateway | undefined =>
  gateways.find((one) => one.channel === gone.channel && one.id !== gone.id)
