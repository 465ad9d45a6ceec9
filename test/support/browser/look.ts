import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { findTextFaults } from '../text-faults.ts'
import { startBrowserStage } from './browser-stage.ts'
import { emptyConsole, followAddress } from './emptied-console.ts'
import type { Scene } from './scene.ts'
import { type Scheme, setView } from './windows.ts'

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

/** Axe, which keeps no copies of the elements that it judges. */
const AXE = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};axe.configure({ noHtml: true })`
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

/** Returns the faults of a page: the rules of axe with the elements that break them, in the dark only rules of colours; and a width that does not fit. */
async function faultsNow(page: Page, { width, scheme }: Sight): Promise<string[]> {
  // Frames hold mails, which are not the console's; asking them takes half a second each.
  const options = { resultTypes: ['violations'], iframes: false, ...(scheme === 'dark' && { runOnly: OF_COLOURS }) }
  const { violations, shownWidth } = await page.evaluate<{ violations: Violation[]; shownWidth: number }>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({
      violations,
      shownWidth: document.documentElement.scrollWidth,
    }))`,
  )
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
  return shownWidth === width ? faults : [...faults, `it is ${shownWidth} px wide`]
}

/** Sets the size and the scheme of a tab: those of a phone or of a desk. */
const setSight = (page: Page, sight: Sight): Promise<void> => setView(page, sight, sight.width < 640 ? 844 : 900)

/** The faults of a screen at a width in a scheme; saves its picture when `picture` names a path. */
async function faultsOf(page: Page, sight: Sight, picture?: string): Promise<string[]> {
  const { width, scheme } = sight
  await setSight(page, sight)
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor({ state: 'attached' })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  if (picture) await page.screenshot({ path: `${picture}-${width}-${scheme}.png` })
  const faults = await faultsNow(page, sight)
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
  // Two tabs show all scenes, one for those who are signed in. Chromium loads the console once, and follows its links from scene to scene.
  const tabs = new Map<boolean, ReturnType<typeof window>>()
  function tabOf(isDoor: boolean): ReturnType<typeof window> {
    const tab = tabs.get(isDoor) ?? window(isDoor ? { role: null } : {})
    tabs.set(isDoor, tab)
    return tab
  }
  return async (scene, sights, { pictures, finally: last } = {}) => {
    const address = (await scene.prepare?.(stage)) ?? scene.path
    const { page, complaints } = await tabOf(scene.isDoor ?? false)
    for (const [path, json] of Object.entries(scene.answers ?? {}))
      await page.route(`${url}${path}*`, (route) => route.fulfill({ json }))
    if (scene.refused) await page.route(`${url}${scene.refused}*`, (route) => route.fulfill(BROKEN))
    const isLoaded = !scene.isDoor && (await emptyConsole(page, stage.own.code))
    if (sights[0]) await setSight(page, sights[0])
    const path = address.startsWith('/console') ? address : `/console/${stage.own.code}${address}`
    await (isLoaded ? followAddress(page, path) : page.goto(`${url}${path}`))
    await scene.ready(page)
    if (await page.evaluate('self.axe === undefined')) await page.evaluate(AXE)
    const faults: string[] = []
    for (const sight of sights) faults.push(...(await faultsOf(page, sight, pictures && join(pictures, scene.name))))
    faults.push(
      ...findTextFaults(await page.evaluate<string>('document.body.innerText')).map((text) => `text: ${text}`),
    )
    await last?.(page)
    await page.evaluate('localStorage.clear(); sessionStorage.clear()')
    await page.unrouteAll()
    return [...faults, ...complaints.splice(0)]
  }
}
