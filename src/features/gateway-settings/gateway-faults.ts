import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { GatewayRow } from '../../gateways/definition.ts'
import { listGatewayRemotes, readGatewayRow, requireGatewayDefinition } from '../../gateways/gateway-definitions.ts'
import { invalidRequestProblem, Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import {
  assertOutboundHost,
  NoAnswerError,
  type OutboundPolicy,
  RefusedAddressError,
  resolveOutboundUrl,
} from '../../lib/net/guarded-client.ts'
import { singularizeAfterOne } from '../../lib/text/nouns.ts'

function findSchemaFaults(
  part: 'settings' | 'secrets',
  schema: TSchema | undefined,
  inputValue: unknown,
): ProblemFault[] {
  if (inputValue === undefined) return []
  if (schema === undefined) return [{ pointer: `/${part}`, detail: 'is not allowed for this kind of gateway' }]
  const value = Value.Default(schema, Value.Clone(inputValue))
  return Value.Errors(schema, value).map(({ instancePath, message }) => ({
    pointer: `/${part}${instancePath}`,
    detail: singularizeAfterOne(message),
  }))
}

/** A pointer of a fault that the definition of a kind found, into the body. */
function toBodyPointer(pointer: string): string {
  if (pointer === 'kind' || pointer === 'channel') return `/${pointer}`
  return pointer.startsWith('/secrets') ? pointer : `/settings${pointer}`
}

/** Rethrows the problems of a row's definition with pointers into the body. */
function withBodyPointers<T>(readRow: () => T): T {
  try {
    return readRow()
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    throw invalidRequestProblem(
      error.errors.map(({ pointer, detail }) => ({ pointer: toBodyPointer(pointer), detail })),
    )
  }
}

const hasSettings = (settings: unknown): boolean => Object.keys(settings ?? {}).length > 0

/** Checks settings and secrets against the schemas of their kind. Throws 400 with a pointer for each fault; none repeats a secret. */
export function assertGatewaySettings(row: GatewayRow): void {
  const definition = withBodyPointers(() => requireGatewayDefinition(row.kind, row.channel))
  const faults = [
    ...findSchemaFaults('settings', definition.settings, hasSettings(row.settings) ? row.settings : undefined),
    ...findSchemaFaults('secrets', definition.secrets, row.secrets),
  ]
  if (faults.length > 0) throw invalidRequestProblem(faults)
  withBodyPointers(() => readGatewayRow(row))
}

/** Why an address may not be connected to; undefined: it may, or its name has no address now. */
async function describeRefusedAddress(
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
  const remoteFaults = await Promise.all(
    listGatewayRemotes(row).map(async (remote): Promise<ProblemFault[]> => {
      const refusalDetail = await describeRefusedAddress(remote, reach)
      return refusalDetail === undefined ? [] : [{ pointer: `/settings${remote.pointer}`, detail: refusalDetail }]
    }),
  )
  const { allowPrivate } = row.settings as { allowPrivate?: unknown }
  const privateFault = { pointer: '/settings/allowPrivate', detail: 'can be set only from the command line' }
  const faults = [...remoteFaults.flat(), ...(allowPrivate === true ? [privateFault] : [])]
  if (faults.length > 0) throw invalidRequestProblem(faults)
}
