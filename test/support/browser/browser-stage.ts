import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { createPasswords } from '../../../src/features/people/passwords.ts'
import { addMember, createPerson } from '../../../src/features/people/people.ts'
import type { PersonRole } from '../../../src/lib/account.ts'
import { freePort } from '../../../src/lib/free-port.ts'
import { findBrowser } from '../../fakes/browser.ts'
import { type Stage, startStage } from '../stage.ts'

export type Scheme = 'light' | 'dark'

export interface View {
  width: number
  scheme: Scheme
  locale: 'en' | 'fr'
  /** Of the person who is signed in; null: nobody is. */
  role: PersonRole | null
  /** Of an earlier window: the new one is a tab beside it, with its cache and its person. */
  context: BrowserContext
}

/** A service that listens, with its console, and a browser. */
export interface BrowserStage {
  stage: Stage
  url: string
  browser: Browser
  /** Of every person that windows are of. */
  password: string
  /** Windows sign in anew, where a test ended their sessions. */
  forgetSessions(): void
  /** A window of its own, of a person who is signed in with all rights. */
  window(view?: Partial<View>): Promise<Window>
}

export interface Window {
  context: BrowserContext
  page: Page
  /** Opens a path of the account: `/contacts`. */
  open(path: string): Promise<void>
  /** Errors of the console and refusals of the policy, so far. */
  complaints: string[]
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

const HEIGHT = 900
const PASSWORD = 'apples and pears and plums'
const NAMES = { en: 'Ann Orchard', fr: 'Chloé Verger' }

/** Failed calls are shown by the screens; the browser's own line about each says nothing more. */
const EXPECTED = /^Failed to load resource/

function collect(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

/** People of the own account, one of each language and role that a test asks for. */
function people({ context, own }: Stage, url: string, browser: Browser) {
  const known = new Map<string, Promise<StorageState>>()
  const made = new Set<string>()
  const make = async (locale: 'en' | 'fr', role: PersonRole, email: string): Promise<void> => {
    const { db, clock, passwords } = context
    const now = new Date(clock.now())
    const password = await (passwords ?? createPasswords()).hash(PASSWORD)
    const person = { email, name: NAMES[locale], locale, password, operator: role === 'admin', emailConfirmed: true }
    await addMember(db, { account: own.account, person: await createPerson(db, person, now), role }, now)
    made.add(email)
  }
  const signIn = async (locale: 'en' | 'fr', role: PersonRole): Promise<StorageState> => {
    const email = `${role}.${locale}@orchard.example`
    if (!made.has(email)) await make(locale, role, email)
    const visitor = await browser.newContext()
    const answer = await visitor.request.post(`${url}/auth/sign-in`, {
      data: { email, password: PASSWORD },
      headers: { origin: url },
    })
    if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
    const state = await visitor.storageState()
    await visitor.close()
    return state
  }
  const stateOf = (locale: 'en' | 'fr', role: PersonRole): Promise<StorageState> => {
    const name = `${locale} ${role}`
    const state = known.get(name) ?? signIn(locale, role)
    known.set(name, state)
    return state
  }
  return { stateOf, forget: () => known.clear() }
}

/** A browser, which ends with the file of tests. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no Chromium is installed')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  after(() => browser.close())
  return browser
}

/** A window as somebody has it: width, scheme and language are theirs. */
export async function openWindow(
  browser: Browser,
  { width = 1280, scheme = 'light', locale = 'en', context: given }: Partial<View> = {},
  storageState?: StorageState,
): Promise<Omit<Window, 'open'>> {
  const made = {
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    locale: locale === 'fr' ? 'fr-FR' : 'en-GB',
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce' as const,
    ...(storageState && { storageState }),
  }
  const context = given ?? (await browser.newContext(made))
  const page = await context.newPage()
  const complaints: string[] = []
  collect(page, complaints)
  return { context, page, complaints }
}

/** What is set beside the public address, which is given: nothing unless a file says so. */
type Environment = (url: string) => Promise<Record<string, string>>

/** Starts a service and a browser for the tests of one file; both end with it. */
export async function startBrowserStage(environment: Environment = async () => ({})): Promise<BrowserStage> {
  // What is started first ends first: no page asks a service that stops.
  const browser = await launchBrowser()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const stage = await startStage({ STENTOR_PUBLIC_URL: url, ...(await environment(url)) })
  await stage.app.listen({ port, host: '127.0.0.1' })
  const { stateOf, forget } = people(stage, url, browser)
  return {
    stage,
    url,
    browser,
    password: PASSWORD,
    forgetSessions: forget,
    async window(view = {}) {
      const { locale = 'en', role = 'admin' } = view
      const opened = await openWindow(browser, view, role ? await stateOf(locale, role) : undefined)
      return {
        ...opened,
        open: async (path) => void (await opened.page.goto(`${url}/console/${stage.own.code}${path}`)),
      }
    },
  }
}
