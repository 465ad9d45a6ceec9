import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { parseMailAddress } from '../../../src/lib/text/mail-address.ts'
import { noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'

/** A test of isemail: an address with its diagnosis. */
interface Case {
  id: string
  address: string
  category: string
  diagnosis: string
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The text of an XML element, with pictures of control characters replaced by the characters. */
const plain = (xml: string): string =>
  xml
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name] ?? whole
      return String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16))
    })
    .replace(/[\u2400-\u2421]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))

function cases(): Case[] {
  if (noSharedData) return []
  const xml = readFileSync(join(SHARED_DATA, 'suites/isemail/test/tests.xml'), 'utf8').replace(/<!--.*?-->/gs, '')
  return [...xml.matchAll(/<test id="(\d+)">(.*?)<\/test>/gs)].map(([, id = '', body = '']) => {
    const textOf = (name: string) => plain(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(body)?.[1] ?? '')
    return { id, address: textOf('address'), category: textOf('category'), diagnosis: textOf('diagnosis') }
  })
}

/** True for addresses to accept: valid ones, whether or not the DNS knows their domain, and quoted local parts, which SMTP allows. */
const isRead = ({ category, diagnosis }: Case): boolean =>
  category === 'ISEMAIL_VALID_CATEGORY' ||
  category === 'ISEMAIL_DNSWARN' ||
  diagnosis === 'ISEMAIL_RFC5321_QUOTEDSTRING'

/**
 * Categories refused on purpose though isemail finds them valid: forms for header fields only (RFC 5322: comments, folding, obsolete forms),
 * address literals, and domains without a dot or with a last label of digits. No person has such an address.
 */
const REFUSED = /^ISEMAIL_(?:CFWS|DEPREC|RFC5321|RFC5322|ERR)$/

/** Valid in isemail and refused here: the domain has no dot. */
const WITHOUT_DOT = ['test@io']

suite('addresses', { skip: noSharedData }, () => {
  for (const one of cases()) {
    const { id, address, category, diagnosis } = one
    const trimmed = address.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
    const name = `${id} of isemail, ${JSON.stringify(address)}, ${diagnosis}`
    if (trimmed !== address)
      test(`spaces and line ends around an address are dropped, whatever they mean in a header: ${name}`, () => {
        assert.equal(parseMailAddress(address), parseMailAddress(trimmed))
      })
    else if (isRead(one) && !WITHOUT_DOT.includes(address))
      test(`a valid address is read: ${name}`, () => {
        assert.equal(parseMailAddress(address)?.toLowerCase(), address.toLowerCase())
      })
    else
      test(`an address that no person has is refused: ${name}`, () => {
        assert.ok(REFUSED.test(category) || WITHOUT_DOT.includes(address), category)
        assert.equal(parseMailAddress(address), undefined)
      })
  }
})
