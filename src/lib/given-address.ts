import { badRequestProblem } from './errors/problem.ts'
import { NoAnswerError, type OutboundPolicy, RefusedAddressError, resolveOutboundUrl } from './net/guarded-client.ts'

/**
 * Checks an address that a client gives and the service will call. A name that does not resolve now is accepted: it is
 * looked up, and checked, at every connection. Throws badRequestProblem.
 */
export async function assertCallableUrl(
  rawUrl: string | null | undefined,
  pointer: string,
  reach: OutboundPolicy,
): Promise<void> {
  if (rawUrl == null) return
  try {
    await resolveOutboundUrl(rawUrl, reach)
  } catch (error) {
    if (error instanceof RefusedAddressError) throw badRequestProblem(pointer, error.message)
    if (!(error instanceof NoAnswerError)) throw error
  }
}

/** As assertCallableUrl, of the beginning of addresses: it must not have a query or a fragment. */
export async function assertCallableBaseUrl(
  rawUrl: string | null | undefined,
  pointer: string,
  reach: OutboundPolicy,
): Promise<void> {
  if (rawUrl != null && /[?#]/.test(rawUrl)) throw badRequestProblem(pointer, 'must not have a query or a fragment')
  await assertCallableUrl(rawUrl, pointer, reach)
}
