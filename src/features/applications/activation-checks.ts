import { Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import type { ApplicationNamedValue } from './application-schemas.ts'
import type { StoredPushProvider } from './providers.ts'

/** The parts of an application that are checked before pushes are sent. */
interface ActivationInput {
  providers: readonly StoredPushProvider[]
  routes: readonly ApplicationNamedValue[] | null
}

function describeProviderFault({ type, secret, expiresAt }: StoredPushProvider, now: Date): string | undefined {
  if (secret === null) return `the provider of type ${type} has no secret`
  if (expiresAt !== null && expiresAt <= now) return `the certificate expired on ${expiresAt.toISOString()}`
  return undefined
}

/** Everything that keeps an application from being active; no provider is called. */
export function findApplicationFaults({ providers, routes }: ActivationInput, now: Date): ProblemFault[] {
  const faults = providers.flatMap((provider, index) => {
    const detail = describeProviderFault(provider, now)
    return detail === undefined ? [] : { pointer: `/providers/${index}`, detail }
  })
  if (providers.length === 0) faults.push({ pointer: '/providers', detail: 'at least one provider is required' })
  // Installed apps read a route in every push.
  if (providers.some(({ type }) => type === 'apns') && !routes?.some((route) => route.default))
    faults.push({ pointer: '/routes', detail: 'a default route is required with a provider of type apns' })
  return faults
}

/** Throws conflict `application-incomplete` with every fault. */
export function assertApplicationComplete(application: ActivationInput, now: Date): void {
  const errors = findApplicationFaults(application, now)
  const [firstError] = errors
  if (firstError)
    throw new Problem(409, 'application-incomplete', `The application is incomplete: ${firstError.detail}.`, {
      errors,
    })
}
