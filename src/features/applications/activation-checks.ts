import { type Fault, Problem } from '../../lib/errors/problem.ts'
import type { NamedValue } from './application-schemas.ts'
import type { StoredProvider } from './providers.ts'

/** What is checked of an application before pushes leave for it. */
interface Checked {
  providers: readonly StoredProvider[]
  routes: readonly NamedValue[] | null
}

function faultOf({ type, secret, expiresAt }: StoredProvider, now: Date): string | undefined {
  if (secret === null) return `the provider ${type} has no secret`
  if (expiresAt !== null && expiresAt <= now) return `the certificate expired on ${expiresAt.toISOString()}`
  return undefined
}

/** Everything that keeps an application from being active; no provider is called. */
export function activationFaults({ providers, routes }: Checked, now: Date): Fault[] {
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
export function requireActivable(application: Checked, now: Date): void {
  const errors = activationFaults(application, now)
  const [first] = errors
  if (first)
    throw new Problem(409, 'application-incomplete', `The application cannot be active: ${first.detail}.`, { errors })
}
