import { RefusedAddressError } from '../lib/net/guarded-client.ts'
import { requireAllowedAddress } from './fetch/allow-list.ts'
import { createFlaw, type DefinitionFlaw } from './flaws.ts'

/** Finds the flaws of an address in a definition. It is parsed in the same way as when it is called. */
export function findAddressFlaws(text: string, path: string, allowed: readonly string[]): DefinitionFlaw[] {
  const protocol = URL.parse(text)?.protocol
  if (protocol !== 'https:' && protocol !== 'http:')
    return [createFlaw('type-mismatch', path, 'This must be an https address.')]
  try {
    requireAllowedAddress(text, allowed)
    return []
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error
    return [createFlaw('forbidden-host', path, `This address ${error.message} (scripting.environment.http.allow).`)]
  }
}
