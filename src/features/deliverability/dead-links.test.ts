import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import { findDeadLinks } from './dead-links.ts'
import type { ContentLink } from './written-links.ts'

const asked: string[] = []
const server = createServer(({ method, url = '' }, response) => {
  asked.push(`${method} ${url}`)
  if (url === '/moved') response.writeHead(302, { location: '/404' }).end()
  else if (url === '/broken') response.writeHead(302, { location: 'http://[no address' }).end()
  else response.writeHead(Number(url.slice(1))).end()
})

describe('dead links', () => {
  let site = ''
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    site = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  const reach = (): OutboundPolicy => ({
    open: new Set([site, 'gone.example']),
    resolve: async () => {
      throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
    },
  })
  const link = (address: string, index: number): ContentLink => ({
    written: address,
    address,
    isFixed: !address.includes('made'),
    part: 'html',
    position: () => ({ line: index + 1, column: 1 }),
  })

  test('reports 404, 410, server errors and unknown hosts, with one request per address', async () => {
    const paths = ['200', '404', '404', '410', '403', '503', 'moved']
    const urls = [...paths.map((path) => `http://${site}/${path}`), 'http://gone.example/', 'http://gone.example/made']
    const findings = await findDeadLinks(urls.map(link), reach())
    assert.deepEqual(
      findings.map(({ type, message, position }) => [type, message.replace(site, 'site'), position?.line]),
      [
        ['dead-link', 'The link to http://site/404 does not work: it returns 404.', 2],
        ['dead-link', 'The link to http://site/410 does not work: it returns 410.', 4],
        ['dead-link', 'The link to http://site/503 does not work: it returns 503.', 6],
        ['dead-link', 'The link to http://site/moved does not work: it returns 404.', 7],
        ['dead-link', 'The link to http://gone.example/ does not work: its host does not exist.', 8],
      ],
    )
    assert.equal(asked.filter((request) => request === 'HEAD /410').length, 1)
    assert.ok(asked.every((request) => request.startsWith('HEAD ')))
  })

  test('reports redirects to an invalid address', async () => {
    const findings = await findDeadLinks([`http://${site}/broken`, `http://${site}/404`].map(link), reach())
    assert.deepEqual(
      findings.map(({ message }) => message.replace(site, 'site')),
      [
        'The link to http://site/broken does not work: it redirects to an invalid address.',
        'The link to http://site/404 does not work: it returns 404.',
      ],
    )
  })

  test('makes no request when no host may be called', async () => {
    const before = asked.length
    const closed: OutboundPolicy = { open: new Set(), resolve: async () => ['127.0.0.1'] }
    const findings = await findDeadLinks([link(`http://${site}/404`, 1), link('https://inside.example/', 2)], closed)
    assert.deepEqual(findings, [])
    assert.equal(asked.length, before)
  })
})
