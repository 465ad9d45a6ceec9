import { NoAnswerError, RefusedAddressError } from '../../lib/net/guarded-client.ts'
import { ScriptHostError } from '../sandbox/types.ts'
import type { ScriptFetchAnswer, ScriptFetcher, ScriptFetchPolicy } from './fetcher.ts'
import { UnknownSecretError } from './secrets.ts'

/** Answers `http.fetch` of a script. What may not be called is an error of type `capability`. */
export async function answerScriptFetch(
  fetcher: ScriptFetcher,
  [url, options]: readonly unknown[],
  policy: ScriptFetchPolicy,
  signal: AbortSignal,
): Promise<ScriptFetchAnswer> {
  try {
    return await fetcher.fetch(String(url), options, policy, signal)
  } catch (error) {
    if (error instanceof RefusedAddressError)
      throw new ScriptHostError(`The address of http.fetch ${error.message}.`, 'capability')
    if (error instanceof NoAnswerError) throw new ScriptHostError(`http.fetch failed: ${error.message}.`)
    if (error instanceof UnknownSecretError) throw new ScriptHostError(error.message)
    throw error
  }
}
