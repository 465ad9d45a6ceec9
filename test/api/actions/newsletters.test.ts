import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readHtmlElements } from '../../../src/features/rendering/html/html-elements.ts'
import { OURS, readNewsletters } from '../../support/stages/newsletters.ts'

const shop = 'https://shop.example'

/** The addresses to which the tracked links of each template lead, as a browser resolves them (test/long/processes/newsletters.test.ts). */
const expected: Record<string, string[]> = {
  tables: [`${shop}/?utm_source=news&utm_medium=email`, `${shop}/cart?id=7&sku=A%20B`],
  'conditional-comments': [
    'https://only-outlook.example/',
    `${shop}/not-mso?a=1&b=2`,
    `${shop}/downlevel`,
    `${shop}/after-empty-comment`,
    `${shop}/after-odd-end`,
  ],
  'vml-button': [
    `${shop}/button`,
    `${shop}/button?from=css&x=%C3%A9t%C3%A9`,
    `${shop}/vml-outside`,
    `${shop}/area?x=1&y=2`,
  ],
  'liquid-attributes': [
    `${shop}/p/A%2F1?n=1&name=Ann`,
    `${shop}/p/B%262?n=2&name=Ann`,
    `${shop}/made?a=%221%22&b=%C3%A9#%3Cx%3E`,
    `${shop}/vip`,
    `${shop}/one`,
    `${shop}/%C3%A9/Saint-%C3%89tienne?q=say+%22hi%22+%26+%27ho%27#Saint-%C3%89tienne`,
  ],
  'encoded-queries': [
    `${shop}/go?u=https%3A%2F%2Fother.example%2F%3Fa%3D1%26b%3D2&x=%2520`,
    `${shop}/?copy=1&copy=2&lt=3&amp=4&notit;=5¶`,
    `${shop}/?q=50%&p=%zz`,
    `${shop}/a%20b/c?d=e%20f#g%20h`,
    `${shop}/?q=caf%C3%A9&r=%E6%97%A5%E6%9C%AC&s=%F0%9F%98%80`,
    'https://xn--exmple-cua.example/%C3%BC',
    `${shop}/?json={%22a%22:[1,2]}|^\``,
    'https://user:p%40ss@shop.example:8443/x?y#z?w',
    `${shop}/path`,
    `${shop}/?a=1&amp;b=2`,
  ],
  'unquoted-unclosed': [
    `${shop}/unquoted?a=1&b=2`,
    `${shop}/slash/`,
    `${shop}/by-slash`,
    `${shop}/tight`,
    `${shop}/spaced`,
    `${shop}/?q=%22quoted%22&r=%27single%27`,
    `${shop}/lines`,
    `${shop}/Saint-%C3%89tienne/%22x%22?y`,
    `${shop}/made?a=%221%22&b=%C3%A9#%3Cx%3E`,
  ],
  uppercase: [`${shop}/UPPER?A=1&B=2`, 'http://shop.example/Path', 'mirror', 'unsubscribe', 'form'],
  amp4email: [`${shop}/slide?n=1&m=2`, `${shop}/bound`],
  'base-href': [`${shop}/absolute`],
  'broken-lines': [
    `${shop}/bom`,
    `${shop}/broken%20%20/over/lines?a=1`,
    `${shop}/padded`,
    `${shop}/hard%C2%A0blank%C2%A0`,
    `${shop}/control`,
  ],
  hostile: [
    `${shop}/after-a-title`,
    `${shop}/quotes`,
    `${shop}/less-than`,
    `${shop}/odd-name`,
    `${shop}/after-a-bad-end`,
    `${shop}/6`,
    `${shop}/%EF%BF%BD%E2%82%AC%EF%BF%BD%EF%BF%BD&bogus;`,
    `${shop}/after-the-body`,
  ],
}

/**
 * What was written where the sent text has addresses of ours. Fails when anything else differs, but for the quotes that
 * an unquoted address gets, and helper attributes that go.
 */
function replacedIn(plain: string, sent: string): string[] {
  const replaced: string[] = []
  let at = 0
  let isBare = false
  for (const [n, whole] of sent.split(OURS).entries()) {
    let piece: string = isBare ? whole.slice(1) : whole
    if (n > 0) {
      const end = isBare ? /[\s>]/g : plain[at - 1] === "'" ? /'/g : /"/g
      end.lastIndex = at
      const { index = plain.length } = end.exec(plain) ?? {}
      replaced.push(plain.slice(at, index))
      at = index
    }
    isBare = !plain.startsWith(piece, at) && piece.endsWith('"')
    if (isBare) piece = piece.slice(0, -1)
    const context = `after ${JSON.stringify(plain.slice(Math.max(0, at - 60), at))}`
    assert.equal(plain.slice(at, at + piece.length), piece, context)
    at += piece.length
  }
  assert.equal(at, plain.length)
  return replaced
}

/** Helper attributes are to go; nothing else reads them. */
const withoutHelpers = (html: string) => html.replace(/ LINKTYPE=(?:"SYSTEM"|form)/g, '')

/** The address of each link, as it stands in the text, its character references decoded. */
function addressesOf(html: string): (string | undefined)[] {
  const found: (string | undefined)[] = []
  readHtmlElements(html, {
    startTag(name, attributes) {
      if (name === 'a' || name === 'area') found.push(attributes.find((attribute) => attribute.name === 'href')?.value)
    },
  })
  return found
}

const newsletters = readNewsletters()

suite('real-world newsletters', () => {
  test('have an expectation for every file', () => {
    assert.deepEqual(newsletters.map(({ name }) => name).sort(), Object.keys(expected).sort())
  })

  for (const { name, plain, sent, copied, follow } of newsletters) {
    test(`only the addresses of ${name} change`, () => {
      assert.equal(replacedIn(withoutHelpers(plain), sent).length, expected[name]?.length)
    })

    test(`every tracked link of ${name} leads to its original target`, () => {
      const addresses = sent.match(OURS) ?? []
      const resolved = addresses.map((address) => follow(address) ?? '')
      const plainly = (url: string) => (URL.canParse(url) ? new URL(url).href : url)
      assert.deepEqual(resolved.map(plainly), expected[name]?.map(plainly))
    })

    test(`a copy of ${name} has the links as written, but for hosts in A-labels`, () => {
      const written = addressesOf(plain.replace('//exämple.example', '//xn--exmple-cua.example'))
      const isSystem = (address: string | undefined) => address?.match(OURS) !== null
      const shown = addressesOf(copied).map((address, n) => (isSystem(address) ? written[n] : address))
      assert.deepEqual(shown, written)
    })
  }
})
