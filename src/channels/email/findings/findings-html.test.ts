import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ContentLink } from '../../../features/deliverability/written-links.ts'
import { checkImageOnlyMail, checkMailLinks } from './findings-html.ts'

const link = (address: string, index = 0): ContentLink => ({
  written: address,
  address,
  isFixed: true,
  part: 'html',
  position: () => ({ line: index + 1, column: 1 }),
})

const types = (address: string): string[] => checkMailLinks([link(address)]).map(({ type }) => type)

suite('findings on links that mail filters object to', () => {
  for (const [address, expected] of [
    ['https://shop.example/a?u=http://x.example', []],
    ['http://shop.example/', ['link-insecure']],
    ['HTTP://shop.example/', ['link-insecure']],
    ['https://192.0.2.7/a', ['link-address']],
    ['https://0xc0000207/a', ['link-address']],
    ['https://3221225991/', ['link-address']],
    ['http://[2001:db8::7]:8080/', ['link-insecure', 'link-address']],
    ['https://192.0.2.7.example/', []],
    ['https://bit.ly/abc', ['link-shortener']],
    ['https://WWW.TinyURL.com/abc', ['link-shortener']],
    ['https://orbit.ly/abc', []],
    ['https://bit.ly.shop.example/', []],
    ['https://', []],
  ] as const)
    test(`reports ${expected.join(' and ') || 'none'} for ${address}`, () => assert.deepEqual(types(address), expected))

  test('reports the position of each link, for at most 100 links of a kind', () => {
    const findings = checkMailLinks(
      Array.from({ length: 150 }, (_, index) => link(`http://shop.example/${index}`, index)),
    )
    assert.equal(findings.length, 100)
    assert.deepEqual(findings[1], {
      type: 'link-insecure',
      message: 'The link http://shop.example/1 is not https.',
      part: 'html',
      position: { line: 2, column: 1 },
    })
  })
})

suite('findings on image-only messages', () => {
  const isOne = (html: string): boolean => checkImageOnlyMail(html).length === 1
  const image = '<img src="https://shop.example/a.png" alt="Doors open on Friday">'

  test('reports an image whose only text is links to the mirror page and to unsubscribe', () => {
    assert.ok(isOne(image))
    assert.ok(isOne(`<html><head><title>News</title><style>p{}</style></head><body>${image}&nbsp;\u200c</body></html>`))
    assert.ok(isOne(`<a href="MirrorPage">See it online</a>${image}<a href="{{ links.unsubscribe }}">Unsubscribe</a>`))
    assert.ok(isOne(`{% comment %}a note{% endcomment %}{% if data.a %}${image}{% endif %}<!-- words -->`))
  })

  test('ignores messages that have words, print a value or have no image', () => {
    assert.ok(!isOne(`${image}<p>Doors open on Friday</p>`))
    assert.ok(!isOne(`${image}<a href="https://shop.example/">Come in</a>`))
    assert.ok(!isOne(`${image}{{ contact.Firstname }}`))
    assert.ok(!isOne('<p></p>'))
  })

  test('reports the position of the first image, and nothing without HTML', () => {
    assert.deepEqual(checkImageOnlyMail(`<p>\n  ${image}${image}`)[0]?.position, {
      line: 2,
      column: 3,
    })
    assert.deepEqual(checkImageOnlyMail(''), [])
  })
})
