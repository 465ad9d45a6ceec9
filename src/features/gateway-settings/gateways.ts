import { isDeepStrictEqual } from 'node:util'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import type { ServiceContext } from '../../context.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import {
  addCallbackToken,
  findGatewayCallback,
  findSoleChannel,
  gatewayDefinitions,
  readGatewayRow,
} from '../../gateways/gateway-definitions.ts'
import type { AccountId } from '../../lib/account.ts'
import { catchProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { applyMergePatch } from '../../lib/merge-patch.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { listConfiguredGateways } from '../../sending/gateway-registry/configured-gateways.ts'
import { checkGatewayConnection, openGatewayOnce } from '../../sending/gateway-registry/gateway-check.ts'
import {
  addGateway,
  loadGateways,
  type OwnedGateway,
  removeGateway,
  type StoredGateway,
  updateStoredGateway,
} from '../../sending/gateway-registry/gateway-rows.ts'
import { assertGatewayRemotes, assertGatewaySettings } from './gateway-faults.ts'
import type {
  CreatedGateway,
  GatewayBody,
  GatewayKindResource,
  GatewayResource,
  GatewayTestResult,
  NewGatewayBody,
} from './gateway-schemas.ts'

export type GatewayDependencies = Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock'>

/** A gateway of the database, or of the environment. */
type ListedGateway = OwnedGateway & Partial<Pick<StoredGateway, 'id' | 'createdAt'>>

/** The kinds there are, with the schemas of what each takes. */
export function listGatewayKinds(): GatewayKindResource[] {
  return gatewayDefinitions.map(({ kind, channels, settings = null, secrets = null, hook }) => ({
    kind,
    channels: [...channels],
    settings,
    secrets,
    callbacks: hook !== undefined,
  }))
}

/** Settings with their defaults; as they are stored when they are not those of their kind any more. */
function resolveSettings(row: GatewayRow): Record<string, unknown> {
  const parsedRow = catchProblem(() => readGatewayRow(row))
  const settings = parsedRow instanceof Problem ? row.settings : 'settings' in parsedRow ? parsedRow.settings : {}
  return { ...(settings as object) }
}

function toGatewayResource(
  gateway: ListedGateway,
  { carries, shown: showsSettings }: { carries: boolean; shown: boolean },
): GatewayResource {
  const { id = null, account, channel, name, kind, secrets, createdAt } = gateway
  return {
    id,
    scope: account === null ? 'installation' : 'account',
    channel,
    name,
    kind,
    settings: showsSettings || account !== null ? resolveSettings(gateway) : null,
    secrets: Object.keys(secrets ?? {}).sort(),
    carries,
    creationDate: createdAt?.toISOString() ?? null,
  }
}

/** Those that serve an account, in the order in which one is looked for: its own, the installation's, the environment's. */
async function loadServingGateways(
  { db, config, masterKeys }: GatewayDependencies,
  account: AccountId,
): Promise<ListedGateway[]> {
  const rows = await loadGateways(db, masterKeys, account)
  const accountGateways = rows.filter((row) => row.account !== null)
  return [...accountGateways, ...rows.filter((row) => row.account === null), ...listConfiguredGateways(config)]
}

/** True if this gateway carries the account's messages of its channel: the first one that serves them carries all. */
function isCarrier(servingList: readonly ListedGateway[], gateway: ListedGateway): boolean {
  return servingList.find(({ channel }) => channel === gateway.channel) === gateway
}

/** The viewer: an operator also sees the settings of the installation's gateways. */
export interface GatewayViewer {
  account: AccountId
  isOperator: boolean
}

/** The gateways that serve an account; the first of a channel carries it. */
export async function listServingGateways(
  tools: GatewayDependencies,
  { account, isOperator }: GatewayViewer,
): Promise<GatewayResource[]> {
  const servingList = await loadServingGateways(tools, account)
  return servingList.map((candidate) =>
    toGatewayResource(candidate, { carries: isCarrier(servingList, candidate), shown: isOperator }),
  )
}

/** One of the database that serves an account. Throws notFound. */
async function findGateway(tools: GatewayDependencies, account: AccountId, id: number) {
  const servingList = await loadServingGateways(tools, account)
  const servingGateway = servingList.find((candidate): candidate is StoredGateway => candidate.id === id)
  if (!servingGateway) throw notFoundProblem('gateway', id)
  return { found: servingGateway, carries: isCarrier(servingList, servingGateway) }
}

/** One gateway. Throws notFound. */
export async function loadServingGateway(
  tools: GatewayDependencies,
  { account, isOperator }: GatewayViewer,
  id: number,
): Promise<GatewayResource> {
  const { found: storedGateway, carries: isCarrying } = await findGateway(tools, account, id)
  return toGatewayResource(storedGateway, { carries: isCarrying, shown: isOperator })
}

/** Checks a row, and opens it once: what is wrong with it is said here, and not in the log of the senders. Throws 400. */
async function assertGatewayOpens(
  { config, clock }: GatewayDependencies,
  row: GatewayRow & { guarded: boolean },
): Promise<void> {
  assertGatewaySettings(row)
  if (row.guarded) await assertGatewayRemotes(row, createOutboundPolicy(config.outgoingAllow))
  await (await openGatewayOnce(row, { config, clock })).close(0)
}

/** Secrets of a body that are texts: a read returns names alone. */
function pickTextSecrets(secretsInput: NewGatewayBody['secrets']): Record<string, string | null> {
  return isJsonObject(secretsInput) ? (secretsInput as Record<string, string | null>) : {}
}

function mergeSettings(storedSettings: unknown, mergePatch: unknown): Record<string, unknown> {
  return applyMergePatch(storedSettings ?? {}, mergePatch ?? {}) as Record<string, unknown>
}

/** Secrets after a change; undefined: there are none. Without the token of its callbacks their address would be void: it stays. */
function mergeSecrets(
  storedSecrets: unknown,
  secretsInput: NewGatewayBody['secrets'],
): Record<string, unknown> | undefined {
  const { hookToken } = (storedSecrets ?? {}) as { hookToken?: unknown }
  const changedSecrets = secretsInput === null ? {} : mergeSettings(storedSecrets, pickTextSecrets(secretsInput))
  const secrets = hookToken === undefined ? changedSecrets : { hookToken, ...changedSecrets }
  return Object.keys(secrets).length === 0 ? undefined : secrets
}

/** Makes a gateway; senders use it within seconds. Throws 400 with pointers, conflict `gateway-taken`. */
export async function createGateway(
  tools: GatewayDependencies,
  account: AccountId,
  { kind, channel, name, scope, settings, secrets }: NewGatewayBody,
): Promise<CreatedGateway> {
  const { db, masterKeys, config } = tools
  const newRow: GatewayRow = {
    name: name ?? kind,
    kind,
    channel: channel ?? findSoleChannel(kind) ?? emailChannelTraits.name,
    settings: mergeSettings({}, settings),
    secrets: mergeSecrets({}, secrets),
  }
  await assertGatewayOpens(tools, { ...newRow, guarded: true })
  const row = addCallbackToken(newRow)
  const ownerAccount = scope === 'installation' ? null : account
  const id = await addGateway(db, masterKeys, { ...row, account: ownerAccount, guarded: true })
  const gatewayCallback = findGatewayCallback(row)
  return {
    ...(await loadServingGateway(tools, { account, isOperator: true }, id)),
    callback: gatewayCallback === undefined ? null : `${config.publicUrl}/hooks/sms/${gatewayCallback.token}`,
  }
}

/** Refuses changes of a gateway's identity: they require a new gateway. */
function assertSameIdentity(currentGateway: GatewayResource, body: GatewayBody): void {
  for (const member of ['kind', 'channel', 'scope'] as const) {
    if (body[member] !== undefined && body[member] !== currentGateway[member])
      throw conflictProblem('gateway-fixed', `The ${member} of a gateway cannot be changed. Create a new gateway.`)
  }
}

/** True if a body differs from the resource as shown: the values of a read may be sent back. */
function hasSettingsChange(currentRow: GatewayRow, { settings }: GatewayBody): boolean {
  const currentSettings = resolveSettings(currentRow)
  return !isDeepStrictEqual(mergeSettings(currentSettings, settings), currentSettings)
}

/** Changes a gateway. Throws notFound, 400 with pointers, conflict `gateway-fixed`, `gateway-taken`. */
export async function updateGateway(
  tools: GatewayDependencies,
  account: AccountId,
  id: number,
  body: GatewayBody,
): Promise<GatewayResource> {
  const { found: storedGateway, carries: isCarrying } = await findGateway(tools, account, id)
  assertSameIdentity(toGatewayResource(storedGateway, { carries: isCarrying, shown: true }), body)
  const updatedGateway: StoredGateway = {
    ...storedGateway,
    name: body.name ?? storedGateway.name,
    settings: hasSettingsChange(storedGateway, body)
      ? mergeSettings(storedGateway.settings, body.settings)
      : storedGateway.settings,
    secrets: body.secrets === undefined ? storedGateway.secrets : mergeSecrets(storedGateway.secrets, body.secrets),
    guarded: storedGateway.guarded || hasSettingsChange(storedGateway, body),
  }
  await assertGatewayOpens(tools, updatedGateway)
  await updateStoredGateway(tools.db, tools.masterKeys, updatedGateway)
  return loadServingGateway(tools, { account, isOperator: true }, id)
}

/** Removes a gateway; senders let go of it within seconds. Throws notFound. */
export async function deleteGateway(tools: GatewayDependencies, account: AccountId, id: number): Promise<void> {
  await findGateway(tools, account, id)
  await removeGateway(tools.db, id)
}

/** A text in which no secret stands: some gateways say as whom they were let in. */
function maskSecrets(text: string, secrets: unknown): string {
  const texts = Object.values(secrets ?? {}).filter((secret): secret is string => typeof secret === 'string')
  return texts.filter(Boolean).reduce((maskedText, secret) => maskedText.replaceAll(secret, '***'), text)
}

/** Connects as sending would, within 20 s, and sends nothing. Throws notFound. */
export async function testGateway(
  tools: GatewayDependencies,
  account: AccountId,
  id: number,
): Promise<GatewayTestResult> {
  const { found: storedGateway } = await findGateway(tools, account, id)
  const startedAt = performance.now()
  const result = (ok: boolean, detail: string): GatewayTestResult => ({
    ok,
    detail: maskSecrets(detail, storedGateway.secrets),
    durationMs: Math.round(performance.now() - startedAt),
  })
  try {
    assertGatewaySettings(storedGateway)
    if (storedGateway.guarded)
      await assertGatewayRemotes(storedGateway, createOutboundPolicy(tools.config.outgoingAllow))
    const { ok: isConnected, detail } = await checkGatewayConnection(storedGateway, tools)
    return result(isConnected, detail)
  } catch (error) {
    if (error instanceof Problem) return result(false, error.detail)
    throw error
  }
}
