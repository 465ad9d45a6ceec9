import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { MemberRole } from '../../../src/lib/account.ts'

export type Scheme = 'light' | 'dark'

export interface View {
  width: number
  scheme: Scheme
  locale: 'en' | 'fr'
  /** What the browser itself is set to, BCP 47: `en-GB` or `fr-FR` by `locale`, unless it is given. */
  tag: string
  /** IANA name of the browser's zone. */
  zone: string
  /** Role of the person who is signed in; null: nobody is. */
  role: MemberRole | null
  /** Context of an earlier window: the new one is a tab in it, with its cache and its person. */
  context: BrowserContext
}

export interface Window {
  context: BrowserContext
  page: Page
  /** Opens a path of the account: `/contacts`. */
  open(path: string): Promise<void>
  /** Closes the window. Its page serves later windows; a test that has added scripts to it, or changed its context, closes that instead. */
  close(): Promise<void>
  /** Errors of the console and refusals of the policy, so far. */
  complaints: string[]
}

export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

const HEIGHT = 900

/** Failed calls are shown by the screens; the browser's own line about each adds nothing. */
const EXPECTED = /^Failed to load resource/

/** Collects what the browser complains of on a page. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** Sets the size of a page, in pixels, and its scheme of colours. */
export async function setView(
  page: Page,
  { width = 1280, scheme = 'light' }: Partial<View>,
  height = HEIGHT,
): Promise<void> {
  const now = page.viewportSize()
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: scheme })
}

/** A context as somebody's browser is set: width, scheme and language are theirs. */
export function newContext(
  browser: Browser,
  {
    width = 1280,
    scheme = 'light',
    locale = 'en',
    tag = locale === 'fr' ? 'fr-FR' : 'en-GB',
    zone = 'Europe/Paris',
  }: Partial<View> = {},
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    locale: tag,
    timezoneId: zone,
    reducedMotion: 'reduce',
  })
}

/** Opens a tab, and collects what the browser complains of. */
export async function openTab(context: BrowserContext): Promise<Pick<Window, 'context' | 'page' | 'complaints'>> {
  const page = await context.newPage()
  return { context, page, complaints: collectComplaints(page) }
}

/** A window in a context of its own. */
export async function openWindow(
  browser: Browser,
  view: Partial<View> = {},
): Promise<Pick<Window, 'context' | 'page' | 'complaints'>> {
  return openTab(await newContext(browser, view))
}
