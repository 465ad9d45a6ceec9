import { RefusedAddress } from '../lib/net/guarded-client.ts'
import { readAddress } from './fetch/allow-list.ts'
import { type Flaw, flaw } from './flaws.ts'

/** What is wrong with an address that is written in a definition: it is read as it will be when it is called. */
export function checkAddress(text: string, path: string, allowed: readonly string[]): Flaw[] {
  const protocol = URL.parse(text)?.protocol
  if (protocol !== 'https:' && protocol !== 'http:')
    return [flaw('type-mismatch', path, 'This must be an address with https.')]
  try {
    readAddress(text, allowed)
    return []
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error
    return [flaw('forbidden-host', path, `This address ${error.message} (scripting.environment.http.allow).`)]
  }
}
