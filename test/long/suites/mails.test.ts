import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { findMailField, parseMailFields, parseMailMediaType } from '../../../src/lib/text/mail/fields.ts'
import { parseMimeMail } from '../../../src/lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../src/lib/text/mail/part-text.ts'
import { noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'

const RESOURCES = join(SHARED_DATA, 'suites/mail-parser/resources')
const read = (name: string) => readFileSync(join(RESOURCES, name))
const json = (name: string) => JSON.parse(read(name).toString())
const mailsIn = (folder: string): string[] =>
  noSharedData ? [] : readdirSync(join(RESOURCES, folder)).filter((name) => name.endsWith('.eml'))

interface ContentType {
  c_type: string
  c_subtype: string | null
  attributes: [name: string, value: string][] | null
}

/** A mail as mail-parser reads it. */
interface Parsed {
  parts: { body: { Text?: string; Html?: string; Message?: Parsed; Multipart?: number[] } }[]
}

/** Parameters of a Content-Type that Stentor evaluates. */
const JUDGED = ['boundary', 'charset', 'report-type']

/** Content types that are read differently on purpose, by reason. */
const OTHER_TYPES: Record<string, readonly string[]> = {
  'an invalid type is text/plain (RFC 2045, 5.2), whose charset is believed': [
    ';charset=us-ascii\n',
    ' ;charset=us-ascii\n',
    '/;charset=us-ascii\n',
    '/ ;charset=us-ascii\n',
    '/plain;charset=us-ascii\n',
    '/plain ;charset=us-ascii\n',
    'á/é; á=é\n',
  ],
  'what follows a type is ignored': [
    'text/plain/format\n',
    'text/plain/format;charset=us-ascii\n',
    'text/plain/format ;charset=us-ascii\n',
  ],
}
/** Mails that are read differently on purpose, with the reason. */
const OTHER_MAILS: Record<string, string> = { '000.eml': 'octets whose encoding is broken are no text here' }
const whyOther = new Map(
  Object.entries(OTHER_TYPES).flatMap(([why, headers]) => headers.map((header) => [header, why])),
)

/** Asserts that two readings are the same, or differ if there is a reason. */
function assertRead(compare: () => void, why: string | undefined): void {
  if (why === undefined) compare()
  else assert.throws(compare, assert.AssertionError, `no difference any more: ${why}`)
}

function leavesOf({ parts }: Parsed): string[] {
  return parts.flatMap(({ body: { Text, Html, Message, Multipart } }) => {
    if (Text !== undefined) return [Text.trim()]
    if (Html !== undefined) return ['an HTML text']
    if (Message) return ['a message', ...leavesOf(Message)]
    return Multipart ? [] : ['octets']
  })
}

/** The leaves of a mail. The head of an attached message with parts is not one. */
function ownLeaves(raw: Buffer): string[] {
  const { parts } = parseMimeMail(raw)
  return parts.flatMap((part) => {
    const { type } = part.media
    if (type === 'text/rfc822-headers') return []
    if (type === 'message/rfc822') return ['a message']
    if (type === 'text/html') return ['an HTML text']
    return type.startsWith('text/') ? [decodeMailPartText(part).trim()] : ['octets']
  })
}

suite('reading mails', { skip: noSharedData }, () => {
  const types: { header: string; expected: ContentType | null }[] = noSharedData ? [] : json('content_type.json')
  for (const { header, expected } of types)
    test(`a content type is read as mail-parser reads it, but for listed differences: ${JSON.stringify(header)}`, () => {
      const block = `Content-Type: ${header.replaceAll('\r', '')}`
      const { type, parameters } = parseMailMediaType(findMailField(parseMailFields(block), 'content-type'))
      const { c_type: main, c_subtype: sub, attributes } = expected ?? { c_type: '', c_subtype: null, attributes: null }
      const expectedParameters = new Map(attributes ?? [])
      assertRead(() => {
        assert.equal(type, sub === null ? 'text/plain' : `${main}/${sub}`)
        for (const name of JUDGED) assert.equal(parameters.get(name), expectedParameters.get(name), name)
      }, whyOther.get(header))
    })

  for (const name of mailsIn('eml/rfc'))
    test(`the parts of an example of the RFCs are those of mail-parser, but for listed differences: ${name}`, () => {
      const expected = leavesOf(json(`eml/rfc/${name.replace('.eml', '.json')}`))
      assertRead(() => assert.deepEqual(ownLeaves(read(`eml/rfc/${name}`)), expected), OTHER_MAILS[name])
    })

  // Their parts are read as reports need them: with a guessed boundary, and returned messages in any encoding.
  for (const name of mailsIn('eml/malformed'))
    test(`a malformed mail is read as far as possible: ${name}`, () => {
      assert.ok(ownLeaves(read(`eml/malformed/${name}`)).length > 0)
    })
})
