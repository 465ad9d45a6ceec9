import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import { findBrowser } from '../fakes/browser.ts'
import { type Stage, startStage } from '../stage.ts'

export type Scheme = 'light' | 'dark'

export interface View {
  width: number
  scheme: Scheme
  locale?: string
}

/** A service that listens, with its console, and a browser. */
export interface BrowserStage {
  stage: Stage
  url: string
  browser: Browser
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

const HEIGHT = 900

/** Failed calls are shown by the screens; the browser's own line about each says nothing more. */
const EXPECTED = /^Failed to load resource/

function collect(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

const PERSON = {
  id: '0198c0de-0000-7000-8000-000000000001',
  email: 'ann@orchard.example',
  name: 'Ann Orchard',
  active: true,
  secondFactor: 'none',
  operator: true,
  createdAt: '2026-11-01T08:00:00Z',
  lastSignInAt: null,
  memberships: [],
}

/** Stands in for sessions: the person is known, and requests carry a key. */
async function signIn(context: BrowserContext, stage: Stage, locale: string): Promise<void> {
  await context.route('**/*', async (route: Route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (pathname === '/me') {
      const me = {
        person: { ...PERSON, locale },
        account: stage.own.code,
        rights: ['read', 'write', 'send', 'admin'],
        accounts: [{ code: stage.own.code, name: 'Orchard', role: 'admin' }],
      }
      return route.fulfill({ json: me })
    }
    return route.continue({ headers: { ...request.headers(), 'x-key': stage.own.key } })
  })
}

/** Starts a service and a browser for the tests of one file; both end with it. */
export async function startBrowserStage(): Promise<BrowserStage> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no Chromium is installed')
  const stage = await startStage()
  const address = await stage.app.listen({ port: 0, host: '127.0.0.1' })
  const url = address.replace('127.0.0.1', 'localhost')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  after(() => browser.close())
  return {
    stage,
    url,
    browser,
    async window({ width = 1280, scheme = 'light', locale = 'en' } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: HEIGHT },
        colorScheme: scheme,
        locale: locale === 'fr' ? 'fr-FR' : 'en-GB',
        timezoneId: 'Europe/Paris',
        reducedMotion: 'reduce',
      })
      await signIn(context, stage, locale)
      const page = await context.newPage()
      const complaints: string[] = []
      collect(page, complaints)
      return {
        context,
        page,
        complaints,
        open: async (path) => void (await page.goto(`${url}/console/${stage.own.code}${path}`)),
      }
    },
  }
}
