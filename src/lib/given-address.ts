import { badRequest } from './errors/problem.ts'
import { checkOutgoing, NoAnswer, type Reach, RefusedAddress } from './net/guarded-client.ts'

/**
 * Checks an address that a client gives and the service will call. A name that does not resolve now is accepted: it is
 * looked up, and checked, at every connection. Throws badRequest.
 */
export async function checkGivenAddress(
  given: string | null | undefined,
  pointer: string,
  reach: Reach,
): Promise<void> {
  if (given == null) return
  try {
    await checkOutgoing(given, reach)
  } catch (error) {
    if (error instanceof RefusedAddress) throw badRequest(pointer, error.message)
    if (!(error instanceof NoAnswer)) throw error
  }
}

/** As checkGivenAddress, of the beginning of addresses: it may have no query and no fragment. */
export async function checkBaseAddress(given: string | null | undefined, pointer: string, reach: Reach): Promise<void> {
  if (given != null && /[?#]/.test(given)) throw badRequest(pointer, 'may have no query and no fragment')
  await checkGivenAddress(given, pointer, reach)
}
