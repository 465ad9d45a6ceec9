import { Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import type { ApplicationNamedValue } from './application-schemas.ts'
import type { StoredPushProvider } from './providers.ts'

/** What is checked of an application before pushes leave for it. */
interface Checked {
  providers: readonly StoredPushProvider[]
  routes: readonly ApplicationNamedValue[] | null
}

function faultOf({ type, secret, expiresAt }: StoredPushProvider, now: Date): string | undefined {
  if (secret === null) return `the provider ${type} has no secret`
  if (expiresAt !== null && expiresAt <= now) return `the certificate expired on ${expiresAt.toISOString()}`
  return undefined
}

/** Everything that keeps an application from being active; no provider is called. */
export function findApplicationFaults({ providers, routes }: Checked, now: Date): ProblemFault[] {
  const faults = providers.flatMap((provider, index) => {
    const detail = faultOf(provider, now)
    return detail === undefined ? [] : { pointer: `/providers/${index}`, detail }
  })
  if (providers.length === 0) faults.push({ pointer: '/providers', detail: 'at least one provider is needed' })
  // Installed apps read a route in every push.
  if (providers.some(({ type }) => type === 'apns') && !routes?.some((route) => route.default))
    faults.push({ pointer: '/routes', detail: 'a default route is needed with a provider apns' })
  return faults
}

/** Throws conflict `application-incomplete` with every fault. */
export function assertApplicationComplete(application: Checked, now: Date): void {
  const errors = findApplicationFaults(application, now)
  const [first] = errors
  if (first)
    throw new Problem(409, 'application-incomplete', `The application cannot be active: ${first.detail}.`, { errors })
}
