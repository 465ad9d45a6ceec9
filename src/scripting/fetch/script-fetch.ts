import { NoAnswer, RefusedAddress } from '../../lib/net/guarded-client.ts'
import { HostError } from '../sandbox/types.ts'
import type { FetchAnswer, Fetcher, FetchPolicy } from './fetcher.ts'
import { UnknownSecret } from './secrets.ts'

/** Answers `http.fetch` of a script. What may not be called is an error of type `capability`. */
export async function scriptFetch(
  fetcher: Fetcher,
  [url, options]: readonly unknown[],
  policy: FetchPolicy,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  try {
    return await fetcher.fetch(String(url), options, policy, signal)
  } catch (error) {
    if (error instanceof RefusedAddress)
      throw new HostError(`The address of http.fetch ${error.message}.`, 'capability')
    if (error instanceof NoAnswer) throw new HostError(`http.fetch failed: ${error.message}.`)
    if (error instanceof UnknownSecret) throw new HostError(error.message)
    throw error
  }
}
