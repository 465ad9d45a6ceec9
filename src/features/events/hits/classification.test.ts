import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { loadRobotPatterns, ROBOTS_DIRECTORY, type RobotPatterns } from '../robots/robots.ts'
import { classifyHit, type HitEvidence } from './classification.ts'

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const IMAGE_PROXY = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'

let robots: RobotPatterns
before(async () => {
  robots = await loadRobotPatterns(ROBOTS_DIRECTORY)
})

function judge(evidence: Partial<HitEvidence>) {
  return classifyHit(robots, {
    type: 'open',
    method: 'GET',
    address: '198.51.100.7',
    userAgent: BROWSER,
    headers: {},
    ...evidence,
  })
}

test('a browser is human unless it arrives within a second of the activation', () => {
  assert.deepEqual(judge({}), { classification: null, early: { withinMs: 1000, classification: 'genericrobot' } })
  const phone =
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36'
  assert.equal(judge({ userAgent: phone }).classification, null)
})

test('an open through the mail privacy relay or with its bare user agent is mpp, but a click is not', () => {
  assert.equal(judge({ address: '146.75.200.9' }).classification, 'mpp')
  assert.equal(judge({ userAgent: 'Mozilla/5.0' }).classification, 'mpp')
  assert.equal(judge({ type: 'redirection', address: '146.75.200.9' }).classification, null)
})

test("Google's ranges are gsr, but its image proxy only within 5 s of the activation", () => {
  assert.equal(judge({ address: '66.249.84.1' }).classification, 'gsr')
  assert.equal(judge({ address: '2001:4860::1' }).classification, 'gsr')
  assert.deepEqual(judge({ address: '66.249.84.1', userAgent: IMAGE_PROXY }), {
    classification: null,
    early: { withinMs: 5000, classification: 'gsr' },
  })
})

const machines: [name: string, evidence: Partial<HitEvidence>][] = [
  ['HEAD', { method: 'HEAD' }],
  ['no user agent', { userAgent: null }],
  ['an empty user agent', { userAgent: ' ' }],
  ['an HTTP library', { userAgent: 'python-requests/2.32' }],
  ['a crawler', { userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' }],
  ['a security gateway', { userAgent: 'BarracudaCentral/1.0' }],
  ['a data centre', { address: '95.216.1.1' }],
  ['a mail scanner', { address: '::ffff:40.94.20.1' }],
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ['a filled honeypot', { type: 'form', honeypotFilled: true }],
]
for (const [name, evidence] of machines) {
  test(`${name} is a generic robot`, () => assert.equal(judge(evidence).classification, 'genericrobot'))
}

test('a confirmed unsubscription is never classified as a robot', () => {
  assert.deepEqual(judge({ type: 'unsubscribe', method: 'POST', userAgent: null }), {
    classification: null,
    early: null,
  })
})

test('robot lists in a directory replace the built-in ones, and malformed lists are refused', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'robots-'))
  t.after(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'agents.json'), '{"robots": ["firefox"], "imageProxies": []}')
  await writeFile(join(directory, 'ranges.json'), '{"mailPrivacy": [], "google": [], "machines": ["198.51.100.0/24"]}')
  const own = await loadRobotPatterns(directory)
  assert.ok(own.agents.test(BROWSER))
  assert.ok(!own.imageProxies.test(IMAGE_PROXY))
  assert.ok(own.machineRanges.check('198.51.100.7'))
  await writeFile(join(directory, 'ranges.json'), '{"google": []}')
  await assert.rejects(loadRobotPatterns(directory))
})
