import { openCaptureRcsGateway } from './capture/rcs.ts'
import type { RcsGateway, RcsRegion } from './rcs.ts'
import { openRcsGoogleGateway, type RcsGoogleContext } from './rcs-google/rcs.ts'
import { readRcsGoogleConfig } from './rcs-google/settings.ts'

/** The provider through which an agent sends its messages. */
export type RcsProvider =
  | {
      type: 'google-rbm'
      region?: RcsRegion | null
      baseUrl?: string | null
      tokenUrl?: string | null
      /** The service account, as object or as JSON text. */
      credentials: string | object
    }
  | { type: 'capture' }

/** Profile values that a gateway is opened with. */
export interface RcsProfileValues {
  provider: RcsProvider
  agent: string
  /** Messages a second; 0: no limit. */
  speed: number
}

/** Opens the gateway of a profile; nothing is connected yet. Throws invalid or badRequestProblem when its values cannot be used. */
export function openRcsProviderGateway(
  name: string,
  { provider, agent, speed }: RcsProfileValues,
  context: RcsGoogleContext & { dataDir: string },
): RcsGateway {
  if (provider.type === 'capture') return openCaptureRcsGateway(name, context)
  const { region = null, baseUrl = null, tokenUrl = null, credentials } = provider
  const secrets = { credentials: typeof credentials === 'string' ? credentials : JSON.stringify(credentials) }
  return openRcsGoogleGateway(name, readRcsGoogleConfig({ agent, region, baseUrl, tokenUrl, speed }, secrets), context)
}
