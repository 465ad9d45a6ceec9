import { isDeepStrictEqual } from 'node:util'
import { emailChannelTraits } from '../../channels/email/facts.ts'
import type { ServiceContext } from '../../context.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import {
  addCallbackToken,
  findGatewayCallback,
  findSoleChannel,
  gatewayDefinitions,
  readGatewayRow,
} from '../../gateways/gateways.ts'
import type { AccountId } from '../../lib/account.ts'
import { catchProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { applyMergePatch } from '../../lib/merge-patch.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { listConfiguredGateways } from '../../sending/gateways/configured-gateways.ts'
import { checkGatewayConnection, openGatewayOnce } from '../../sending/gateways/gateway-check.ts'
import {
  addGateway,
  loadGateways,
  type OwnedGateway,
  removeGateway,
  type StoredGateway,
  updateStoredGateway,
} from '../../sending/gateways/gateway-rows.ts'
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
type Known = OwnedGateway & Partial<Pick<StoredGateway, 'id' | 'createdAt'>>

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
function settingsOf(row: GatewayRow): Record<string, unknown> {
  const read = catchProblem(() => readGatewayRow(row))
  const settings = read instanceof Problem ? row.settings : 'settings' in read ? read.settings : {}
  return { ...(settings as object) }
}

function show(gateway: Known, { carries, shown }: { carries: boolean; shown: boolean }): GatewayResource {
  const { id = null, account, channel, name, kind, secrets, createdAt } = gateway
  return {
    id,
    scope: account === null ? 'installation' : 'account',
    ...{ channel, name, kind },
    settings: shown || account !== null ? settingsOf(gateway) : null,
    secrets: Object.keys(secrets ?? {}).sort(),
    carries,
    creationDate: createdAt?.toISOString() ?? null,
  }
}

/** Those that serve an account, in the order in which one is looked for: its own, the installation's, the environment's. */
async function servingGateways({ db, config, masterKeys }: GatewayDependencies, account: AccountId): Promise<Known[]> {
  const rows = await loadGateways(db, masterKeys, account)
  const own = rows.filter((row) => row.account !== null)
  return [...own, ...rows.filter((row) => row.account === null), ...listConfiguredGateways(config)]
}

/** Whether an account's messages of the gateway's channel leave by it: the first that serves them carries all. */
function carriesIn(all: readonly Known[], gateway: Known): boolean {
  return all.find(({ channel }) => channel === gateway.channel) === gateway
}

/** Who looks: an operator is shown the settings of the installation's gateways. */
export interface GatewayViewer {
  account: AccountId
  isOperator: boolean
}

/** The gateways that serve an account; the first of a channel carries it. */
export async function listServingGateways(
  tools: GatewayDependencies,
  { account, isOperator }: GatewayViewer,
): Promise<GatewayResource[]> {
  const all = await servingGateways(tools, account)
  return all.map((one) => show(one, { carries: carriesIn(all, one), shown: isOperator }))
}

/** One of the database that serves an account. Throws notFound. */
async function findGateway(tools: GatewayDependencies, account: AccountId, id: number) {
  const all = await servingGateways(tools, account)
  const found = all.find((one): one is StoredGateway => one.id === id)
  if (!found) throw notFoundProblem('gateway', id)
  return { found, carries: carriesIn(all, found) }
}

/** One gateway. Throws notFound. */
export async function loadServingGateway(
  tools: GatewayDependencies,
  { account, isOperator }: GatewayViewer,
  id: number,
): Promise<GatewayResource> {
  const { found, carries } = await findGateway(tools, account, id)
  return show(found, { carries, shown: isOperator })
}

/** Checks a row, and opens it once: what is wrong with it is said here, and not in the log of the senders. Throws 400. */
async function checkWhole(
  { config, clock }: GatewayDependencies,
  row: GatewayRow & { guarded: boolean },
): Promise<void> {
  assertGatewaySettings(row)
  if (row.guarded) await assertGatewayRemotes(row, createOutboundPolicy(config.outgoingAllow))
  await (await openGatewayOnce(row, { config, clock })).close(0)
}

/** What of given secrets are texts: names alone are what a reading gave. */
function textsOf(given: NewGatewayBody['secrets']): Record<string, string | null> {
  return isJsonObject(given) ? (given as Record<string, string | null>) : {}
}

function merged(stored: unknown, given: unknown): Record<string, unknown> {
  return applyMergePatch(stored ?? {}, given ?? {}) as Record<string, unknown>
}

/** Secrets after a change; undefined: there are none. Without the token of its callbacks their address would be void: it stays. */
function secretsAfter(stored: unknown, given: NewGatewayBody['secrets']): Record<string, unknown> | undefined {
  const { hookToken } = (stored ?? {}) as { hookToken?: unknown }
  const changed = given === null ? {} : merged(stored, textsOf(given))
  const secrets = hookToken === undefined ? changed : { hookToken, ...changed }
  return Object.keys(secrets).length === 0 ? undefined : secrets
}

/** Makes a gateway; senders use it within seconds. Throws 400 with pointers, conflict `gateway-taken`. */
export async function createGateway(
  tools: GatewayDependencies,
  account: AccountId,
  { kind, channel, name, scope, settings, secrets }: NewGatewayBody,
): Promise<CreatedGateway> {
  const { db, masterKeys, config } = tools
  const given: GatewayRow = {
    name: name ?? kind,
    kind,
    channel: channel ?? findSoleChannel(kind) ?? emailChannelTraits.name,
    settings: merged({}, settings),
    secrets: secretsAfter({}, secrets),
  }
  await checkWhole(tools, { ...given, guarded: true })
  const row = addCallbackToken(given)
  const owner = scope === 'installation' ? null : account
  const id = await addGateway(db, masterKeys, { ...row, account: owner, guarded: true })
  const hook = findGatewayCallback(row)
  return {
    ...(await loadServingGateway(tools, { account, isOperator: true }, id)),
    callback: hook === undefined ? null : `${config.publicUrl}/hooks/sms/${hook.token}`,
  }
}

/** What makes one gateway another: a new one is made in its place. */
function refuseOther(stored: GatewayResource, body: GatewayBody): void {
  for (const member of ['kind', 'channel', 'scope'] as const) {
    if (body[member] !== undefined && body[member] !== stored[member])
      throw conflictProblem('gateway-fixed', `The ${member} of a gateway stays what it is: make a new one.`)
  }
}

/** Whether a body says something else than what is shown: what a reading gave may come back. */
function changesSettings(stored: GatewayRow, { settings }: GatewayBody): boolean {
  const before = settingsOf(stored)
  return !isDeepStrictEqual(merged(before, settings), before)
}

/** Changes a gateway. Throws notFound, 400 with pointers, conflict `gateway-fixed`, `gateway-taken`. */
export async function updateGateway(
  tools: GatewayDependencies,
  account: AccountId,
  id: number,
  body: GatewayBody,
): Promise<GatewayResource> {
  const { found, carries } = await findGateway(tools, account, id)
  refuseOther(show(found, { carries, shown: true }), body)
  const next: StoredGateway = {
    ...found,
    name: body.name ?? found.name,
    settings: changesSettings(found, body) ? merged(found.settings, body.settings) : found.settings,
    secrets: body.secrets === undefined ? found.secrets : secretsAfter(found.secrets, body.secrets),
    guarded: found.guarded || changesSettings(found, body),
  }
  await checkWhole(tools, next)
  await updateStoredGateway(tools.db, tools.masterKeys, next)
  return loadServingGateway(tools, { account, isOperator: true }, id)
}

/** Removes a gateway; senders let go of it within seconds. Throws notFound. */
export async function deleteGateway(tools: GatewayDependencies, account: AccountId, id: number): Promise<void> {
  await findGateway(tools, account, id)
  await removeGateway(tools.db, id)
}

/** A text in which no secret stands: some gateways say as whom they were let in. */
function withoutSecrets(text: string, secrets: unknown): string {
  const texts = Object.values(secrets ?? {}).filter((secret): secret is string => typeof secret === 'string')
  return texts.filter(Boolean).reduce((left, secret) => left.replaceAll(secret, '***'), text)
}

/** Connects as sending would, within 20 s, and sends nothing. Throws notFound. */
export async function testGateway(
  tools: GatewayDependencies,
  account: AccountId,
  id: number,
): Promise<GatewayTestResult> {
  const { found } = await findGateway(tools, account, id)
  const startedAt = performance.now()
  const result = (ok: boolean, detail: string): GatewayTestResult => ({
    ok,
    detail: withoutSecrets(detail, found.secrets),
    durationMs: Math.round(performance.now() - startedAt),
  })
  try {
    assertGatewaySettings(found)
    if (found.guarded) await assertGatewayRemotes(found, createOutboundPolicy(tools.config.outgoingAllow))
    const { ok, detail } = await checkGatewayConnection(found, tools)
    return result(ok, detail)
  } catch (error) {
    if (error instanceof Problem) return result(false, error.detail)
    throw error
  }
}
