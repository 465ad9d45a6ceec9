import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { startBrowserStage } from '../../support/browser/browser-stage.ts'
import { test } from '../../support/browser/launch.ts'
import { eventually } from '../../support/wait.ts'

const { stage, url, window } = await startBrowserStage()
const { call, own } = stage

/** Paths of the console, as its routes name them: `/segments/$id`. */
const patterns = new Set(
  globSync('console/screens/**/routes.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'(\/[\w/$-]*)'/g)].map(([, path = '']) => path),
  ),
)
/** Writes of the interface that only read. */
const READS = /\/(search|preview|audience|render|backtest)$/
/** An address of somebody; of a mask a star or an ellipsis is part. */
const ADDRESS = /[\w.+-]+@[\w-]+\.[\w.]+/g
const MOST_CLICKS = 20
const QUIET_MS = 2000

/** One of everything that has a page. */
async function fill(): Promise<void> {
  const made = async (path: string, body: object): Promise<number> => (await call('POST', path, { body })).body.id
  const contact = await stage.contact('walked@orchard.example', {})
  await stage.segment([contact], { name: 'Walkers' })
  await made('/segments', { type: 'dynamic', name: 'Lately active', criteria: { all: [] } })
  const values = ['Apples', 'Pears'].map((value) => ({ value }))
  const list = await made('/valueLists', { name: 'Fruit', values })
  const field = await made('/fields', { type: 'singleSelectList', name: 'Likes', valueListId: list })
  await made('/forms', { name: 'Tastes', fields: [{ field }] })
  const expressions = [{ type: 'limit', count: 3, period: { type: 'rolling', unit: 'DAY', value: 7 } }]
  await made('/marketing/pressure/rules', {
    label: 'Calm weeks',
    predicate: { type: 'and', expressions },
    active: false,
  })
  await made('/marketing/pressure/topics', { label: 'Fresh fruit' })
  await made('/webhooks', { name: 'Warehouse', url: 'https://hooks.orchard.example/stentor', events: ['hits'] })
  await call('POST', '/domains', { body: { name: 'news.orchard.example' } })
  const action = await stage.action({ name: 'Weekly letter' })
  await stage.validated(action)
  await call('POST', `/actions/${action}/executions`, { body: { id: contact } })
  await stage.settle()
  await stage.planned(await stage.segment([contact]), 100)
  await stage.sendDue()
  await stage.advance()
  await call('PUT', '/settings/people', { body: { maskPersonalData: true } })
}

/** What the service refuses somebody, by the page where it was asked. Writes are tried without being done. */
async function watch(page: Page): Promise<{ refused: string[]; quiet(): Promise<void> }> {
  const refused: string[] = []
  const pending = new Set<Request>()
  const note = (status: number, request: Request): void => {
    const asked = `${request.method()} ${new URL(request.url()).pathname}`
    if (status === 403) refused.push(`${new URL(page.url()).pathname}: ${asked}`)
  }
  page.on('request', (request) => request.resourceType() !== 'eventsource' && pending.add(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('response', (response) => note(response.status(), response.request()))
  await page.route(
    (address) => !address.pathname.startsWith('/console/'),
    async (route) => {
      const request = route.request()
      const isRead = request.method() === 'GET' || READS.test(new URL(request.url()).pathname)
      if (isRead) return route.continue()
      // Rights are looked at before the body, and nobody reads a body of this type.
      const headers = { ...request.headers(), 'content-type': 'application/x-tried' }
      const answer = await route.fetch({ headers, postData: '-' })
      note(answer.status(), request)
      return route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"detail":"tried"}' })
    },
  )
  // What is answered for as long as the page is open, such as the stream of events, is not waited for.
  const quiet = async (): Promise<void> => {
    await eventually(() => pending.size === 0, QUIET_MS).catch(() => pending.clear())
  }
  return { refused, quiet }
}

type Quiet = () => Promise<void>

/** Leads an open console to another of its pages, as its links do: without reading it anew. */
async function go(page: Page, address: string): Promise<void> {
  const isOpen = page.url().startsWith(url)
  if (isOpen)
    await page.evaluate(
      `history.pushState({}, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  else await page.goto(address)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Clicks every button of a part of the page, once a name; `within` what opens as well. */
async function tryAll(page: Page, quiet: Quiet, part: string, isNested = false): Promise<void> {
  const path = page.url()
  const tried = new Set<string>()
  const targets = page.locator(`${part} :is(button, [role=menuitem]):visible:enabled`)
  for (let click = 0; click < MOST_CLICKS; click++) {
    const names = await targets.evaluateAll((all) =>
      (all as unknown as { ariaLabel: string | null; textContent: string }[]).map(
        ({ ariaLabel, textContent }) => ariaLabel ?? textContent,
      ),
    )
    const index = names.findIndex((name) => !tried.has(name.replaceAll(/\d/g, '')))
    const name = names[index]
    if (name === undefined) return
    tried.add(name.replaceAll(/\d/g, ''))
    await page.evaluate('for (const form of document.forms) form.noValidate = true')
    await targets
      .nth(index)
      .click({ timeout: 2000, force: true })
      .catch(() => undefined)
    await quiet()
    if (!isNested && (await page.locator('[role=dialog], [role=menu]').count()) > 0) {
      await tryAll(page, quiet, ':is([role=dialog], [role=menu])', true)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
    }
    if (page.url() !== path) {
      if (isNested) return
      await go(page, path)
      await quiet()
    }
  }
}

/** Opens every page, and one of each kind of object that pages lead to; `look` is done on each. */
async function walk(page: Page, quiet: Quiet, look: (path: string) => Promise<void>): Promise<string[]> {
  const home = `${url}/console/${own.code}`
  const open = new Map([...patterns].filter((path) => !path.includes('$')).map((path) => [path, path]))
  const seen: string[] = []
  for (const [pattern, path] of open) {
    await go(page, `${home}${path}`)
    await quiet()
    seen.push(pattern)
    const linked = (): Promise<string[]> =>
      page
        .locator('main a[href]')
        .evaluateAll((all) => (all as unknown as { pathname: string }[]).map(({ pathname }) => pathname))
    await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' })
    const before = await linked()
    await look(path)
    // Rows of a list may come late, and filters may take them away.
    const links = [...before, ...(await linked())]
    for (const link of links.map((one) => one.replace(/^\/console\/\w+/, ''))) {
      const match = [...patterns].find(
        (one) =>
          one.includes('$') && !patterns.has(link) && new RegExp(`^${one.replaceAll(/\$\w+/g, '[^/]+')}$`).test(link),
      )
      if (match !== undefined && !open.has(match)) open.set(match, link)
    }
  }
  return seen
}

await fill()

suite('rights in the console', () => {
  for (const role of ['viewer'] as const)
    test(`a person with the role ${role} sees nothing that would be refused, whatever they press`, async () => {
      const { page, close } = await window({ role })
      const { refused, quiet } = await watch(page)
      const whole: string[] = []
      const seen = await walk(page, quiet, async (path) => {
        // biome-ignore lint/performance/useDomNodeTextContent: what people see.
        const text = await page.locator('main').innerText()
        const known = ['viewer.en@orchard.example']
        if (role === 'viewer')
          whole.push(
            ...(text.match(ADDRESS) ?? []).filter((one) => !known.includes(one)).map((one) => `${path}: ${one}`),
          )
        await tryAll(page, quiet, 'main')
      })
      for (const pattern of [
        '/contacts/$id',
        '/segments/$id',
        '/fields/$id',
        '/pressure/$id',
        '/messages/$channel/$id',
        '/messages/$channel/$id/report',
        '/messages/$channel/$id/report/contacts',
      ])
        assert.ok(seen.includes(pattern), `${pattern} was seen`)
      assert.deepEqual({ refused: [...new Set(refused)], whole }, { refused: [], whole: [] })
      await close()
    })
})
