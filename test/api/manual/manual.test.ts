import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import MiniSearch from 'minisearch'
import { listAnchors } from '../../support/guides/anchors.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, app } = await startHarness()
const get = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call('GET', url, { key: null, headers })

const documents = globSync('docs/**/*.md').map((path) => path.replaceAll('\\', '/'))

/** The address at which a document is served. */
function addressOf(document: string): string {
  const { dir, name } = posix.parse(posix.relative('docs', document))
  return posix.join('/manual', dir, name === 'README' ? '/' : `${name}.html`)
}

interface PageFacts {
  ids: Set<string>
  /** Values of `href` and `src`. */
  addresses: string[]
  /** Scripts and styles in the page itself. */
  inlined: string[]
}

function readFacts(html: string): PageFacts {
  const facts: PageFacts = { ids: new Set(), addresses: [], inlined: [] }
  const parser = new Parser({
    onopentag(name, { id, href, src, ...others }) {
      if (id !== undefined) {
        assert.ok(!facts.ids.has(id), `id ${id} twice`)
        facts.ids.add(id)
      }
      facts.addresses.push(...[href, src].filter((address) => address !== undefined))
      if (name === 'style' || (name === 'script' && src === undefined)) facts.inlined.push(name)
      facts.inlined.push(...Object.keys(others).filter((attribute) => /^(?:on|style$)/.test(attribute)))
    },
  })
  parser.end(html)
  return facts
}

/** Reads every page that links lead to, from the first page and from every document. */
async function crawl(): Promise<{ pages: Map<string, PageFacts>; broken: string[] }> {
  const pages = new Map<string, PageFacts>()
  const links: { from: string; to: URL }[] = []
  const broken: string[] = []
  const queue = ['/manual/', ...documents.map(addressOf)]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (pages.has(path)) continue
    const { status, headers, text } = await get(path)
    if (status !== 200) broken.push(`${path}: ${status}`)
    const isPage = String(headers['content-type']).startsWith('text/html')
    const facts = readFacts(isPage ? text : '')
    pages.set(path, facts)
    for (const address of facts.addresses) {
      const to = new URL(address, `http://stentor.test${path}`)
      if (to.host !== 'stentor.test' || to.protocol !== 'http:') continue
      links.push({ from: path, to })
      if (to.pathname.startsWith('/manual/')) queue.push(to.pathname)
    }
  }
  for (const { from, to } of links) {
    const isOfService = ['/docs', '/console/'].includes(to.pathname)
    const target = pages.get(to.pathname)
    if (!isOfService && !target) broken.push(`${from}: ${to.pathname}`)
    const anchor = decodeURIComponent(to.hash.slice(1))
    if (anchor !== '' && !target?.ids.has(anchor)) broken.push(`${from}: ${to.pathname}${to.hash}`)
  }
  return { pages, broken }
}

suite('the manual', () => {
  test('serves every document without a key', async () => {
    assert.ok(documents.length > 150)
    for (const document of documents) {
      const { status, headers } = await get(addressOf(document))
      assert.deepEqual([document, status, headers['content-type']], [document, 200, 'text/html; charset=utf-8'])
    }
  })

  test('has links, pictures and anchors that exist', async () => {
    const { pages, broken } = await crawl()
    assert.deepEqual(broken, [])
    for (const path of ['/manual/architecture.html', '/manual/security.html', '/manual/readme.html'])
      assert.ok(pages.has(path), path)
    for (const picture of globSync('docs/pictures/*'))
      assert.ok(pages.has(`/manual/pictures/${posix.basename(picture)}`), picture)
  })

  test('has the anchors that links in the documents use', async () => {
    for (const document of documents) {
      const { ids } = readFacts((await get(addressOf(document))).text)
      const missing = listAnchors(document).filter((anchor) => !ids.has(anchor))
      assert.deepEqual([document, missing], [document, []])
    }
  })

  test('lists the sections of docs/README.md, marks the current page, and links to the pages before and after it', async () => {
    const { text } = await get('/manual/how-to/send-sms.html')
    const index = readFileSync('docs/README.md', 'utf8')
    const sections = [...text.matchAll(/^<h2>(.*)<\/h2>$/gm)].map(([, title = '']) => title)
    assert.deepEqual(sections, ['Tutorials', 'How-to guides', 'Reference', 'Operations', 'Explanation'])
    for (const title of sections) assert.ok(index.includes(`## ${title}\n`), title)
    assert.match(text, /<a href="send-sms\.html" aria-current="page">Send SMS<\/a>/)
    assert.equal(text.match(/aria-current/g)?.length, 1)
    const guides = [...index.matchAll(/^\| \[.*\]\(how-to\/([\w-]+)\.md\)/gm)].map(([, name = '']) => name)
    const place = guides.indexOf('send-sms')
    assert.ok(text.includes(`<a rel="prev" href="${guides[place - 1]}.html">`), String(guides[place - 1]))
    assert.ok(text.includes(`<a rel="next" href="${guides[place + 1]}.html">`), String(guides[place + 1]))
    const contents = text.slice(text.indexOf('<nav class="contents"'))
    for (const anchor of listAnchors('docs/how-to/send-sms.md').slice(1, 4))
      assert.ok(contents.includes(`<a href="#${anchor}">`), anchor)
  })

  test('names the versions of the program and of the interface', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const { text } = await get('/manual/')
    assert.ok(text.includes(`Version ${version}<`))
    assert.ok(text.includes('interface 8.1.0<'))
  })

  test('links to the console only if it is served', async () => {
    assert.ok(readFacts((await get('/manual/')).text).addresses.includes('../console/'))
    const without = await startHarness({ STENTOR_CONSOLE: 'off' })
    const { text } = await without.call('GET', '/manual/reference/', { key: null })
    const { text: page } = await without.call('GET', '/manual/reference/limits.html', { key: null })
    for (const html of [text, page]) assert.ok(!html.includes('console/"'), html)
    assert.ok(readFacts(page).addresses.includes('../../docs'))
  })

  test('redirects addresses without their ending', async () => {
    for (const [path, location] of [
      ['/manual', 'manual/'],
      ['/v1/manual', 'manual/'],
      ['/manual/decisions', 'decisions/'],
      ['/manual/how-to/send-sms', 'send-sms.html'],
    ] as const) {
      const { status, headers } = await get(path)
      assert.deepEqual([path, status, headers['location']], [path, 302, location])
    }
  })
})

test('npm run docs writes the same pages as files, without links to a service', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stentor-manual-'))
  t.after(() => rm(folder, { recursive: true }))
  const written = await promisify(execFile)(process.execPath, ['scripts/manual.ts', folder])
  assert.match(written.stdout, /^\d+ files in /)
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.ok(files.length > documents.length)
  const page = readFileSync(join(folder, 'reference/limits.html'), 'utf8')
  const served = await get('/manual/reference/limits.html')
  const articleOf = (html: string): string => /<article>.*<\/article>/s.exec(html)?.[0] ?? ''
  assert.ok(articleOf(page).length > 100)
  assert.equal(articleOf(page), articleOf(served.text))
  const { addresses } = readFacts(page)
  const missing = addresses.filter(
    (address) => !/^(?:https?:|#)/.test(address) && !existsSync(join(folder, 'reference', address.split('#')[0] ?? '')),
  )
  assert.deepEqual(missing, [])
})

suite('the search of the manual', () => {
  const load = async () => {
    const { body } = await get('/manual/search.json')
    const engine = MiniSearch.loadJS(body.index, body.options)
    return (words: string) => engine.search(words)
  }

  test('finds words in headings and in text, and leads to pages and anchors', async () => {
    const search = await load()
    const results = search('suppression')
    assert.ok(results.length > 3)
    for (const { url } of results) {
      const { pathname, hash } = new URL(url, 'http://stentor.test/manual/')
      const { status, text } = await get(pathname)
      assert.deepEqual([url, status], [url, 200])
      if (hash !== '') assert.ok(readFacts(text).ids.has(decodeURIComponent(hash.slice(1))), url)
    }
    assert.ok(search('STENTOR_HTTP_PORT').some(({ url }) => url.startsWith('reference/settings.html')))
    assert.equal(search('send sms')[0]?.['page'], 'Send SMS')
    assert.deepEqual(search('zzyzx'), [])
  })

  test('leaves decision records out', async () => {
    const { body } = await get('/manual/search.json')
    const urls: string[] = Object.values<{ url: string }>(body.index.storedFields).map(({ url }) => url)
    assert.ok(urls.length > 300)
    assert.deepEqual(
      urls.filter((url) => url.startsWith('decisions/')),
      [],
    )
  })

  test('loads its engine from the service', async () => {
    const { status, headers, text } = await get('/manual/assets/minisearch.js')
    assert.deepEqual([status, headers['content-type']], [200, 'text/javascript; charset=utf-8'])
    assert.match(text, /export \{ MiniSearch as default \}/)
  })
})

const origin = await app.listen({ port: 0, host: '127.0.0.1' })

/** Sends a path as it is written: other clients resolve its dots. */
async function sendRaw(path: string): Promise<{ status: number | undefined; text: string }> {
  const sent = request(origin, { path })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, text: await readText(answer) }
}

suite('responses of the manual', () => {
  const PAGE = '/manual/reference/limits.html'

  test('allow no inline script or style, no other host and no frame', async () => {
    for (const path of ['/manual/', PAGE, '/manual/assets/manual.js', '/manual/pictures/report.webp', '/manual/none']) {
      const { headers } = await get(path)
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
      assert.equal(headers['cache-control'], 'public, no-cache')
      assert.equal(headers['vary'], 'Accept-Encoding')
      assert.equal(headers['set-cookie'], undefined)
    }
    for (const [path, { inlined, addresses }] of (await crawl()).pages) {
      assert.deepEqual([path, inlined], [path, []])
      const unsafe = addresses.filter((address) => /^[a-z]+:/i.test(address) && !/^(?:https?|mailto):/.test(address))
      assert.deepEqual([path, unsafe], [path, []])
    }
  })

  test('have an ETag, and are 304 to clients that have them', async () => {
    for (const path of [PAGE, '/manual/search.json', '/manual/assets/manual.css', '/manual/pictures/report.webp']) {
      const first = await get(path)
      const tag = String(first.headers['etag'])
      assert.match(tag, /^"[\w-]+"$/)
      const again = await get(path, { 'if-none-match': tag })
      assert.deepEqual([path, again.status, again.text, again.headers['etag']], [path, 304, '', tag])
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
    }
  })

  test('answer HEAD without a body, and other methods with 405', async () => {
    const page = await get(PAGE)
    const { status, headers, text } = await call('HEAD', PAGE, { key: null })
    assert.deepEqual([status, text, headers['content-length']], [200, '', page.headers['content-length']])
    assert.equal(headers['etag'], page.headers['etag'])
    assert.equal((await call('HEAD', '/manual/none', { key: null })).status, 404)
    const refused = await call('POST', PAGE, { body: {} })
    assert.deepEqual([refused.status, refused.headers['allow']], [405, 'GET, HEAD'])
  })

  test('are compressed for clients that accept it', async () => {
    const plain = await get(PAGE, { 'accept-encoding': 'identity' })
    assert.equal(plain.headers['content-encoding'], undefined)
    for (const [accepted, encoding, decompress] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await app.inject({ url: PAGE, headers: { 'accept-encoding': accepted } })
      assert.equal(headers['content-encoding'], encoding)
      assert.equal(decompress(rawPayload).toString(), plain.text)
      assert.notEqual(headers['etag'], plain.headers['etag'])
    }
    const picture = await get('/manual/pictures/report.webp', { 'accept-encoding': 'br' })
    assert.deepEqual([picture.headers['content-type'], picture.headers['content-encoding']], ['image/webp', undefined])
  })

  test('are a page with working links for unknown addresses', async () => {
    for (const path of ['/manual/none', '/manual/none/', '/manual/how-to/none.html', '/manual/a/b/c/d?e=/f']) {
      const { status, headers, text } = await get(path)
      assert.deepEqual([path, status, headers['content-type']], [path, 404, 'text/html; charset=utf-8'])
      assert.match(text, /<h1>Page not found<\/h1>/)
      assert.equal(headers['etag'], undefined)
      for (const address of readFacts(text).addresses.filter((one) => one.includes('assets/')))
        assert.match(new URL(address, `http://stentor.test${path}`).pathname, /^\/manual\/assets\//)
    }
  })

  test('contain no file outside of the manual, however its path is written', async () => {
    for (const path of [
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      'how-to/../../package.json',
      'how-to/..%2f..%2f..%2fpackage.json',
      '..%5cpackage.json',
      '%252e%252e%252fpackage.json',
      '/etc/passwd',
      '%2fetc%2fpasswd',
      'docs/README.md',
      'how-to/send-sms.md',
      'stentor.1',
      'assets/../manual-routes.ts',
      'assets/manual-routes.ts',
      'pictures/..%2f..%2fLICENSE',
      'constructor',
      '__proto__',
    ]) {
      const { status, text } = await sendRaw(`/manual/${path}`)
      assert.equal(status, 404, path)
      assert.match(text, /Page not found/, path)
    }
    assert.equal((await sendRaw(`/manual/${'a/'.repeat(2000)}`)).status, 404)
  })
})
