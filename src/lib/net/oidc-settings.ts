import { type MemberRole, memberRoles } from '../account.ts'
import { isLoopbackHost } from './loopback.ts'

/** The settings for signing in by OpenID Connect. */
export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  name: string
  /** The scopes that sign-ins ask for, separated by spaces (RFC 6749, 3.3). */
  scopes: string
  /** The name of the claim that roles go by, or its path, as `realm_access.roles`. */
  claim: string
  /** Addresses count as verified when the provider does not report whether they are. */
  trustsEmail: boolean
  /** By value of the claim; undefined: only invited people come in. */
  roles: ReadonlyMap<string, OidcAccountRole[]> | undefined
}

/** The address of an issuer; plain http is for this machine alone. Throws a plain Error. */
export function parseOidcIssuer(value: string): string | undefined {
  const url = URL.parse(value)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (!url || !isSafe) throw new Error('must be an https address such as https://sign-in.shop.example')
  return value
}

/** Scopes, each once, separated by single spaces. Throws a plain Error. */
export function parseOidcScopes(text: string): string {
  const scopes = [...new Set(text.split(/\s+/).filter((scope) => scope !== ''))]
  if (!scopes.includes('openid') || !scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope)))
    throw new Error('must be scopes separated by spaces, with openid, such as "openid email profile groups"')
  return scopes.join(' ')
}

/** A role in the account of a code. */
export interface OidcAccountRole {
  account: string
  role: MemberRole
}

function parseProviderRole(text: unknown): OidcAccountRole {
  const [, account, roleName] = /^([A-Z0-9]{7}):(\w+)$/.exec(String(text)) ?? []
  const role = memberRoles.find((candidate) => candidate === roleName)
  if (account === undefined || !role)
    throw new Error(`must have roles such as "ACME001:sender", of ${memberRoles.join(', ')}`)
  return { account, role }
}

/** Roles by value of a claim, from their JSON. Throws a plain Error that says what is wrong. */
export function parseOidcAccountRoles(text: string): ReadonlyMap<string, OidcAccountRole[]> | undefined {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const parsedRoles = parseJson(text)
  if (!isObject(parsedRoles)) throw new Error('must be a JSON object such as {"marketing": ["ACME001:sender"]}')
  return new Map(
    Object.entries(parsedRoles).map(([value, list]) => {
      if (!Array.isArray(list)) throw new Error('must have arrays of roles such as ["ACME001:sender"]')
      return [value, list.map(parseProviderRole)] as const
    }),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
