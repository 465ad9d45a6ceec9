import type { Browser } from 'playwright-core'
import { addAccountMember, createUser } from '../../../src/features/people/people.ts'
import { createPasswordHasher } from '../../../src/features/people/sign-in/passwords.ts'
import type { MemberRole } from '../../../src/lib/account.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { type Stage, startStage } from '../stages/stage.ts'
import { browserForFile } from './launch.ts'
import { poolOf } from './pool.ts'
import type { StorageState, View, Window } from './windows.ts'

/** A service that listens, with its console, and a browser. */
export interface BrowserStage {
  stage: Stage
  url: string
  /** The password of everyone who signs in to a window. */
  password: string
  /** Returns the address of the person who signs in with a role; creates that person on first use. */
  person(role: MemberRole): Promise<string>
  /** Makes windows sign in again after a test ended their sessions. */
  forgetSessions(): void
  /** A separate window in which a person with all rights is signed in. */
  window(view?: Partial<View>): Promise<Window>
}

const PASSWORD = 'apples and pears and plums'
const NAMES = { en: 'Ann Orchard', fr: 'Chloé Verger' }

/** People of the own account, one of each language and role that a test asks for. */
function people({ context, own }: Stage, url: string, launched: () => Promise<Browser>) {
  const sessions = new Map<string, Promise<StorageState>>()
  const creations = new Map<string, Promise<void>>()
  const make = async (locale: 'en' | 'fr', role: MemberRole, email: string): Promise<void> => {
    const { db, clock, passwords } = context
    const now = new Date(clock.now())
    const password = await (passwords ?? createPasswordHasher()).hash(PASSWORD)
    const person = { email, name: NAMES[locale], locale, password, operator: role === 'admin', emailConfirmed: true }
    await addAccountMember(db, { account: own.account, person: await createUser(db, person, now), role }, now)
  }
  const person = async (locale: 'en' | 'fr', role: MemberRole): Promise<string> => {
    const email = `${role}.${locale}@orchard.example`
    const making = creations.get(email) ?? make(locale, role, email)
    creations.set(email, making)
    await making
    return email
  }
  const signIn = async (locale: 'en' | 'fr', role: MemberRole): Promise<StorageState> => {
    const email = await person(locale, role)
    const visitor = await (await launched()).newContext()
    const answer = await visitor.request.post(`${url}/auth/sign-in`, {
      data: { email, password: PASSWORD },
      headers: { origin: url },
    })
    if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
    const state = await visitor.storageState()
    await visitor.close()
    return state
  }
  const stateOf = (locale: 'en' | 'fr', role: MemberRole): Promise<StorageState> => {
    const name = `${locale} ${role}`
    const state = sessions.get(name) ?? signIn(locale, role)
    sessions.set(name, state)
    return state
  }
  return { person, stateOf, forget: () => sessions.clear() }
}

/** Settings in addition to the public address, which is passed in: none unless a file adds some. */
type Environment = (url: string) => Promise<Record<string, string>>

/** Starts a service and a browser for the tests of one file; both end with it. */
export async function startBrowserStage(environment: Environment = async () => ({})): Promise<BrowserStage> {
  // What is started first ends first: no page asks a service that stops.
  const launched = browserForFile()
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const stage = await startStage({ STENTOR_PUBLIC_URL: url, ...(await environment(url)) })
  await stage.app.listen({ port, host: '127.0.0.1' })
  const { person, stateOf, forget } = people(stage, url, launched)
  const take = poolOf(launched, url)
  return {
    stage,
    url,
    password: PASSWORD,
    person: (role) => person('en', role),
    forgetSessions: forget,
    async window(view = {}) {
      const { locale = 'en', role = 'admin' } = view
      const pooled = await take(view, role ? await stateOf(locale, role) : undefined)
      return {
        ...pooled,
        open: async (path) => void (await pooled.page.goto(`${url}/console/${stage.own.code}${path}`)),
      }
    },
  }
}
