import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { GatewayRow } from '../../gateways/definition.ts'
import { listGatewayRemotes, readGatewayRow, requireGatewayDefinition } from '../../gateways/gateways.ts'
import { invalidRequestProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import {
  assertOutboundHost,
  NoAnswerError,
  type OutboundPolicy,
  RefusedAddressError,
  resolveOutboundUrl,
} from '../../lib/net/guarded-client.ts'

function faultsOf(part: 'settings' | 'secrets', schema: TSchema | undefined, given: unknown): ProblemFault[] {
  if (given === undefined) return []
  if (schema === undefined) return [{ pointer: `/${part}`, detail: 'this kind has none' }]
  const value = Value.Default(schema, Value.Clone(given))
  return Value.Errors(schema, value).map(({ instancePath, message }) => ({
    pointer: `/${part}${instancePath}`,
    detail: message,
  }))
}

/** A pointer of a fault that the definition of a kind found, into the body. */
function inBody(pointer: string): string {
  if (pointer === 'kind' || pointer === 'channel') return `/${pointer}`
  return pointer.startsWith('/secrets') ? pointer : `/settings${pointer}`
}

/** What a definition finds wrong with a row is thrown with pointers into the body. */
function pointed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    throw invalidRequestProblem(error.errors.map(({ pointer, detail }) => ({ pointer: inBody(pointer), detail })))
  }
}

const hasSettings = (settings: unknown): boolean => Object.keys(settings ?? {}).length > 0

/** Checks settings and secrets against the schemas of their kind. Throws 400 with a pointer for each fault; none repeats a secret. */
export function assertGatewaySettings(row: GatewayRow): void {
  const definition = pointed(() => requireGatewayDefinition(row.kind, row.channel))
  const faults = [
    ...faultsOf('settings', definition.settings, hasSettings(row.settings) ? row.settings : undefined),
    ...faultsOf('secrets', definition.secrets, row.secrets),
  ]
  if (faults.length > 0) throw invalidRequestProblem(faults)
  pointed(() => readGatewayRow(row))
}

/** Why an address may not be connected to; undefined: it may, or its name has no address now. */
async function refusalOf(
  remote: ReturnType<typeof listGatewayRemotes>[number],
  reach: OutboundPolicy,
): Promise<string | undefined> {
  try {
    await ('url' in remote ? resolveOutboundUrl(remote.url, reach) : assertOutboundHost(remote, reach))
    return undefined
  } catch (error) {
    if (error instanceof RefusedAddressError) return error.message
    if (error instanceof NoAnswerError) return undefined
    throw error
  }
}

/**
 * Checks where a gateway connects to, as the guarded client does: only public addresses, and hosts that the installation
 * allows. What the command line and the environment set up is not asked. Throws 400 with a pointer for each fault.
 */
export async function assertGatewayRemotes(row: GatewayRow, reach: OutboundPolicy): Promise<void> {
  const refused = await Promise.all(
    listGatewayRemotes(row).map(async (remote): Promise<ProblemFault[]> => {
      const refusal = await refusalOf(remote, reach)
      return refusal === undefined ? [] : [{ pointer: `/settings${remote.pointer}`, detail: refusal }]
    }),
  )
  const { allowPrivate } = row.settings as { allowPrivate?: unknown }
  const private_ = { pointer: '/settings/allowPrivate', detail: 'is for the command line alone' }
  const faults = [...refused.flat(), ...(allowPrivate === true ? [private_] : [])]
  if (faults.length > 0) throw invalidRequestProblem(faults)
}
