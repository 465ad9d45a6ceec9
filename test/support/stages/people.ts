import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { createPasswordHasher } from '../../../src/features/people/sign-in/passwords.ts'
import type { MemberRole } from '../../../src/lib/account.ts'
import type { Answer, Harness, TestAccount } from '../harness.ts'

/** The origin of the public address that the harness has. */
export const ORIGIN = 'https://stentor.example'
export const PASSWORD = 'a sentence nobody guesses'

let hashed: Promise<string> | undefined

export interface Visit {
  body?: unknown
  headers?: Record<string, string>
  /** The header X-Account. */
  account?: string
  /** The page that asks; null: none says so. */
  origin?: string | null
}

/** A browser with its cookies. */
export interface Browser {
  cookies: Map<string, string>
  /** Where it is. */
  address: string
  visit(method: string, url: string, options?: Visit): Promise<Answer>
}

function keep(cookies: Map<string, string>, given: unknown): void {
  for (const line of [given].flat()) {
    if (typeof line !== 'string') continue
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

/** A browser at an address, without cookies. */
export function openBrowser({ app }: Pick<Harness, 'app'>, address = '198.51.100.7'): Browser {
  const cookies = new Map<string, string>()
  const browser: Browser = {
    cookies,
    address,
    async visit(method, url, { body, headers = {}, account, origin = ORIGIN } = {}) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      const response = await app.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url,
        remoteAddress: browser.address,
        headers: {
          host: 'stentor.example',
          'user-agent': 'test browser',
          ...(cookie !== '' && { cookie }),
          ...(origin !== null && { origin }),
          ...(account !== undefined && { 'x-account': account }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          prefer: 'wait=0',
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      keep(cookies, response.headers['set-cookie'])
      const isJson = String(response.headers['content-type'] ?? '').includes('json')
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.payload,
        body: isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined,
      }
    },
  }
  return browser
}

export interface TestPerson {
  id: string
  email: string
}

/** A person with `PASSWORD` and roles in accounts. */
export async function makePerson(
  { context: { db, passwords = createPasswordHasher() }, clock }: Pick<Harness, 'context' | 'clock'>,
  name: string,
  roles: readonly [TestAccount, MemberRole][] = [],
  more: { operator?: boolean; email_confirmed?: boolean; password?: null } = {},
): Promise<TestPerson> {
  hashed ??= passwords.hash(PASSWORD)
  const [id, email, created_at] = [randomUUID(), `${name.toLowerCase()}@people.example`, new Date(clock.now())]
  const password = await hashed
  await db
    .insertInto('people')
    .values({ id, email, name, locale: 'en', password, created_at, ...more })
    .execute()
  for (const [{ account }, role] of roles)
    await db.insertInto('memberships').values({ account, person: id, role, source: 'hand', created_at }).execute()
  return { id, email }
}

/** A browser that is signed in as a person. */
export async function signedIn(harness: Harness, { email }: TestPerson, address?: string): Promise<Browser> {
  const browser = openBrowser(harness, address)
  const { status, body } = await browser.visit('POST', '/auth/sign-in', { body: { email, password: PASSWORD } })
  assert.deepEqual([status, body], [200, { state: 'done' }])
  return browser
}

/** Status and kind of a problem, which most refusals are compared by. */
export function kindOf({ status, body }: Answer): [number, string] {
  return [status, String(body?.type ?? '').replace('urn:stentor:problem:', '')]
}
