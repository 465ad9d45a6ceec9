import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { type Answer, startHarness } from '../../support/harness.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PAGE = `<!doctype html><meta property="csp-nonce" nonce="{{nonce}}"><meta name="stentor-provider" content="{{provider}}">`

/** A build as scripts/console/build.ts leaves one. */
async function build(): Promise<string> {
  const builds = await mkdtemp(join(tmpdir(), 'stentor-console-'))
  after(() => rm(builds, { recursive: true }))
  const assets = join(builds, 'abc', 'assets')
  await mkdir(assets, { recursive: true })
  await writeFile(join(builds, 'current'), 'abc')
  await writeFile(join(builds, 'abc', 'index.html'), PAGE)
  await writeFile(join(assets, 'main-1.js'), 'plain')
  await writeFile(join(assets, 'main-1.js.br'), 'brotli')
  await writeFile(join(assets, 'main-1.js.gz'), 'gzip')
  await writeFile(join(assets, 'inter-1.woff2'), 'font')
  await writeFile(join(assets, 'notes-1.txt'), 'nothing that a page uses')
  return builds
}

const oidc = {
  STENTOR_OIDC_ISSUER: 'https://id.orchard.example',
  STENTOR_OIDC_CLIENT_ID: 'stentor',
  STENTOR_OIDC_NAME: 'Orchard "<ID>"',
}
const { call } = await startHarness(oidc, { consoleBuilds: await build() })
const get = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call('GET', url, { key: null, headers })
const nonceOf = ({ text }: Answer): string => /nonce="([^"]+)"/.exec(text)?.[1] ?? ''

suite('the console page', () => {
  test('browsers are redirected to it from the root, and programs get the version', async () => {
    const led = await get('/', HTML)
    assert.deepEqual([led.status, led.headers['location'], led.headers['vary']], [302, '/console/', 'Accept'])
    for (const accept of ['*/*', 'application/json', 'text/html;q=0, */*']) {
      const answer = await get('/', { accept })
      assert.deepEqual([answer.status, answer.body.service, answer.headers['vary']], [200, 'stentor', 'Accept'])
    }
  })

  test('has a policy with a nonce per request, and is not cached', async () => {
    const [first, second] = [await get('/console/', HTML), await get('/console/', HTML)]
    const nonce = nonceOf(first)
    assert.match(nonce, /^[\w+/]{24}$/)
    assert.notEqual(nonce, nonceOf(second))
    assert.equal(
      first.headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src-elem 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; ` +
        "img-src 'self' data: blob: https://stentor.example; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
        "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.equal(first.headers['cache-control'], 'no-store')
    assert.equal(first.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(first.headers['referrer-policy'], 'no-referrer')
    assert.equal(first.headers['x-content-type-options'], 'nosniff')
    assert.match(String(first.headers['vary']), /Accept/)
  })

  test("contains the sign-in provider's name as escaped text", async () => {
    const { text } = await get('/console/', HTML)
    assert.match(text, /content="Orchard &#34;&lt;ID&gt;&#34;"/)
  })

  test('is served for every console path to browsers', async () => {
    for (const path of ['/console', '/console/', '/console/ACME001/contacts/000001', '/console/sign-in?next=%2F'])
      assert.equal((await get(path, HTML)).status, 200, path)
  })

  test('is served to every request that does not rule out HTML', async () => {
    for (const accept of ['*/*', 'text/*;q=0.5', 'application/json, */*;q=0.1', 'TEXT/HTML'])
      assert.equal((await get('/console/', { accept })).headers['content-type'], 'text/html; charset=utf-8', accept)
    for (const accept of ['application/json', 'text/html;q=0, */*', 'text/*; q=0.0, */*', '*/*;q=0']) {
      const { status, body } = await get('/console/ACME001/contacts', { accept })
      assert.deepEqual([status, body.type], [404, 'urn:stentor:problem:not-found'], accept)
    }
    assert.equal((await call('POST', '/console/', { body: {} })).status, 405)
  })
})

suite("the console's files", () => {
  const body = async (encoding?: string) => {
    const { headers, text } = await get(
      '/console/assets/main-1.js',
      encoding === undefined ? {} : { 'accept-encoding': encoding },
    )
    return [headers['content-encoding'], text]
  }

  test('are served in the best accepted encoding, and cached for a year', async () => {
    assert.deepEqual(await body('gzip, deflate, br, zstd'), ['br', 'brotli'])
    assert.deepEqual(await body('gzip'), ['gzip', 'gzip'])
    assert.deepEqual(await body('br;q=0, *'), ['gzip', 'gzip'])
    assert.deepEqual(await body('identity'), [undefined, 'plain'])
    assert.deepEqual(await body(), [undefined, 'plain'])
    const { headers } = await get('/console/assets/main-1.js')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['vary'], 'Accept-Encoding')
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(
      (await get('/console/assets/inter-1.woff2', { 'accept-encoding': 'br' })).headers['content-encoding'],
      undefined,
    )
  })

  test('are 404 if unknown, even for browsers', async () => {
    const paths = ['other.js', 'main-1.js.br', 'notes-1.txt', '..%2findex.html']
    for (const path of paths) assert.equal((await get(`/console/assets/${path}`, { accept: '*/*' })).status, 404, path)
    assert.equal((await get('/console/assets/other.js', HTML)).status, 404)
    // Clients resolve dots in a path: this is the page of the console and no file.
    assert.notEqual(nonceOf(await get('/console/assets/%2e%2e/index.html', { accept: '*/*' })), '')
  })
})

suite('message frames of the console', () => {
  test('are static pages with their own policy', async () => {
    const [plain, pictures] = [await get('/console/frame', HTML), await get('/console/frame-pictures', HTML)]
    const script = /script-src 'sha256-[\w+/=]+'/.exec(String(plain.headers['content-security-policy']))?.[0]
    const policy = (images: string): string =>
      `sandbox allow-scripts; default-src 'none'; ${script}; style-src 'unsafe-inline'; img-src data: ${images}; ` +
      "frame-src 'none'; form-action 'none'; frame-ancestors 'self'"
    assert.equal(plain.headers['content-security-policy'], policy('https://stentor.example'))
    assert.equal(pictures.headers['content-security-policy'], policy('https: http:'))
    assert.equal(plain.text, pictures.text)
  })
})

suite('a missing console', () => {
  test('is 503 with the command to run if it is not built', async () => {
    const bare = await startHarness({}, { consoleBuilds: join(tmpdir(), 'stentor-no-console') })
    const { status, body } = await bare.call('GET', '/console/', { key: null, headers: HTML })
    assert.deepEqual([status, body.type], [503, 'urn:stentor:problem:console-not-built'])
    assert.match(body.detail, /npm run console/)
    assert.equal((await bare.call('GET', '/console/assets/main-1.js', { key: null })).status, 503)
    assert.equal((await bare.call('GET', '/fields')).status, 200)
  })

  test('is 404 if it is turned off', async () => {
    const without = await startHarness({ STENTOR_CONSOLE: 'off' })
    for (const path of ['/console/', '/console/frame'])
      assert.equal((await without.call('GET', path, { headers: HTML })).status, 404, path)
    const root = await without.call('GET', '/', { key: null, headers: HTML })
    assert.deepEqual([root.status, root.body.service], [200, 'stentor'])
  })
})
