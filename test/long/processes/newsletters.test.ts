import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { browserIsMissing, findBrowser, startBrowser } from '../../fakes/web/browser.ts'
import { OURS, readNewsletters } from '../../support/stages/newsletters.ts'

const executable = findBrowser()
/** What the browser would follow, link by link; and the text it shows. */
const SHOWN = `({
  links: [...document.querySelectorAll('a[href], area[href]')].map((link) => link.href),
  text: document.body.textContent,
})`

interface Shown {
  links: string[]
  text: string
}

suite('newsletters in a browser', async () => {
  if (executable === undefined) return void test('all newsletters are shown by Chromium', { skip: browserIsMissing() })
  const newsletters = readNewsletters()
  const pages = new Map(
    newsletters.flatMap(({ name, plain, sent }) => [
      [`/${name}/plain`, plain],
      [`/${name}/sent`, sent],
    ]),
  )
  const server = createServer((request, response) => {
    // Nothing that a template names is fetched.
    response.setHeader('content-security-policy', "default-src 'none'")
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(pages.get(request.url ?? '') ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const browser = await startBrowser(executable)
  after(async () => {
    await browser.close()
    server.close()
    server.closeAllConnections()
  })
  const show = async (path: string): Promise<Shown> => {
    const page = await browser.open(`http://127.0.0.1:${port}${path}`, { width: 800, height: 600, scripts: false })
    return page.evaluate<Shown>(SHOWN)
  }

  for (const { name, follow } of newsletters) {
    test(`${name}: each tracked link leads to its original target, and the text is unchanged`, async () => {
      const plain = await show(`/${name}/plain`)
      const sent = await show(`/${name}/sent`)
      assert.equal(sent.text, plain.text)
      const led = sent.links.map((link, n) => {
        if (link.match(OURS)?.[0] !== link) return link.replace(`/${name}/sent`, `/${name}/plain`)
        const location = follow(link) ?? ''
        return URL.canParse(location) ? new URL(location).href : plain.links[n]
      })
      assert.deepEqual(led, plain.links)
    })
  }
})
