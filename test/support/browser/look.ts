import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowserStage } from './browser-stage.ts'
import type { Scene } from './scene.ts'
import type { Scheme } from './windows.ts'

/** The width and scheme of colours at which a screen is checked. */
export interface Sight {
  /** In pixels. */
  width: number
  scheme: Scheme
}

/** Optional steps for a screen that is checked. */
export interface Looking {
  /** A folder for a picture of each sight. */
  pictures?: string | undefined
  /** Called once all sights were looked at, while the screen is still there. */
  finally?(page: Page): Promise<void>
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
/** The answer of an operation that is broken. */
const BROKEN = {
  status: 500,
  contentType: 'application/problem+json',
  headers: { 'x-request-id': 'd41d8cd9-8f00-4b20-9980-0998ecf8427e' },
  body: JSON.stringify({
    type: 'urn:stentor:problem:internal',
    status: 500,
    detail: 'This is broken for the picture.',
  }),
}

interface Violation {
  id: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** The rules that a scheme of colours may break; the others look at structure, which is the same in both. */
const OF_COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The violations that axe reports on a page: each rule with the elements that break it. In the dark only rules of colours are checked. */
async function violations(page: Page, scheme: Scheme): Promise<string[]> {
  // Frames hold mails, which are not the console's; asking them takes half a second each.
  const options = { resultTypes: ['violations'], iframes: false, ...(scheme === 'dark' && { runOnly: OF_COLOURS }) }
  const broken = (await page.evaluate(
    `(async () => (await axe.run(document, ${JSON.stringify(options)})).violations)()`,
  )) as Violation[]
  return broken.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
}

/** The faults of a screen at a width in a scheme; saves its picture when `picture` names a path. */
async function faultsOf(page: Page, { width, scheme }: Sight, picture?: string): Promise<string[]> {
  await page.setViewportSize({ width, height: width < 640 ? 844 : 900 })
  await page.emulateMedia({ colorScheme: scheme })
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  if (picture) await page.screenshot({ path: `${picture}-${width}-${scheme}.png` })
  const faults = await violations(page, scheme)
  const wide = await page.evaluate('document.documentElement.scrollWidth')
  if (wide !== width) faults.push(`it is ${wide} px wide`)
  return faults.map((fault) => `${width} px, ${scheme}: ${fault}`)
}

/**
 * Starts a service and a browser that look at scenes. The function that it gives resolves with all faults of a scene: rules of axe
 * that it breaks at each sight, widths that it does not fit, and complaints of the browser.
 */
export async function startLooking(): Promise<
  (scene: Scene, sights: readonly Sight[], more?: Looking) => Promise<string[]>
> {
  const { stage, url, window } = await startBrowserStage()
  // All scenes are tabs of two windows, so that the console is loaded once.
  const windows = new Map<boolean, ReturnType<typeof window>>()
  const windowOf = (isDoor: boolean) => {
    const opened = windows.get(isDoor) ?? window(isDoor ? { role: null } : {})
    windows.set(isDoor, opened)
    return opened
  }
  return async (scene, sights, { pictures, finally: last } = {}) => {
    const address = (await scene.prepare?.(stage)) ?? scene.path
    const { context } = await windowOf(scene.isDoor ?? false)
    const { page, complaints } = await window({ context })
    await page.addInitScript({ path: AXE })
    for (const [path, json] of Object.entries(scene.answers ?? {}))
      await page.route(`${url}${path}*`, (route) => route.fulfill({ json }))
    if (scene.refused) await page.route(`${url}${scene.refused}*`, (route) => route.fulfill(BROKEN))
    await page.goto(address.startsWith('/console') ? `${url}${address}` : `${url}/console/${stage.own.code}${address}`)
    await scene.ready(page)
    const faults: string[] = []
    for (const sight of sights) faults.push(...(await faultsOf(page, sight, pictures && join(pictures, scene.name))))
    await last?.(page)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await page.close()
    return [...faults, ...complaints]
  }
}
