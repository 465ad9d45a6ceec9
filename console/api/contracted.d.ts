/**
 * Operations that are agreed on and not yet in openapi.json: each goes when its types are made from there.
 */
interface Json<T> {
  content: { 'application/json': T }
}
interface Answer<T> {
  responses: { 200: Json<T> }
}
interface Takes<B> {
  requestBody: Json<B>
}
interface InPath<P> {
  parameters: { path: P }
}
interface Empty {
  responses: { 204: { content?: never } }
}

export interface Membership {
  account: string
  role: Role
}
export type Role = 'viewer' | 'author' | 'sender' | 'admin'
export type Right = 'read' | 'write' | 'send' | 'admin'

export interface Person {
  id: string
  email: string
  name: string
  locale: 'en' | 'fr'
  active: boolean
  secondFactor: 'none' | 'totp' | 'passkey'
  operator: boolean
  createdAt: string
  lastSignInAt: string | null
  memberships: Membership[]
}

export interface Me {
  person?: Person
  account: string | null
  rights: Right[]
  accounts: { code: string; name: string; role: Role }[]
}

export interface Invitation {
  email: string
  account: { code: string; name: string }
  role: Role
  expiresAt: string
  /** There is a person with this email: their own password is asked for. */
  known: boolean
}

export type SignedIn = { state: 'done' } | { state: 'second-factor'; methods: ('code' | 'recovery' | 'passkey')[] }

export interface ContractedPaths {
  '/me': { get: Answer<Me>; put: Takes<{ name?: string; locale?: string }> & Answer<Person> }
  '/auth/setup': {
    post: Takes<{ token: string; email: string; name: string; password: string }> & Answer<SignedIn>
  }
  '/auth/sign-in': { post: Takes<{ email: string; password: string }> & Answer<SignedIn> }
  '/auth/second-factor': {
    post: Takes<{ code: string } | { recovery: string } | { passkey: unknown }> & Answer<SignedIn>
  }
  '/auth/passkey/options': { post: Answer<Record<string, unknown>> }
  '/auth/passkey': { post: Takes<{ passkey: unknown }> & Answer<SignedIn> }
  '/auth/reset': { post: Takes<{ email: string }> & Empty }
  '/auth/reset/{token}': { post: InPath<{ token: string }> & Takes<{ password: string }> & Empty }
  '/auth/invitations/{token}': {
    get: InPath<{ token: string }> & Answer<Invitation>
    post: InPath<{ token: string }> & Takes<{ name?: string | null; password?: string | null }> & Answer<SignedIn>
  }
  '/auth/sign-out': { post: Empty }
  '/auth/confirm': { post: Takes<{ password: string } | { passkey: unknown }> & Empty }
}
