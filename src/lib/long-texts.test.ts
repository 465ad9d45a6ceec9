import { test } from 'node:test'
import { assertReadInOneWalk, type LongText } from '#test/support/long-texts.ts'
import { createActionScheduler, parseActionScheduler } from '../features/actions/resource/parse-action-body.ts'
import { createLiteralMasker } from '../features/audit/literals.ts'
import {
  detectDecimalMark,
  isAmbiguousNumber,
  parseCellNumber,
  parseFieldNumber,
} from '../features/contacts/values/number-text.ts'
import { parseDispositionFilename } from '../features/imports/upload/multipart.ts'
import { splitReturnedMessage } from '../features/inbound/mail/notification.ts'
import { parseSvgStyleSheet, parseSvgValue } from '../features/media/svg-styles.ts'
import { normalizeLinkAddress } from '../features/rendering/html/addresses.ts'
import { parseSmsHttpTemplate } from '../gateways/sms-http/template.ts'
import { parseMtaStsPolicy } from '../gateways/smtp-direct/mta-sts.ts'
import { maskAddressesInText, maskFieldValue } from './text/masking.ts'

const mask = createLiteralMasker([{ id: 1, name: 'Email' }])
const readers: Record<string, [(text: string) => unknown, ...LongText[]]> = {
  'a number': [parseFieldNumber, { before: '1.', piece: '0', after: '1' }, { piece: '1', after: 'x' }],
  'a number of a cell': [
    (text) => [parseCellNumber(text, 'comma'), isAmbiguousNumber(text), detectDecimalMark([text])],
    { before: '1.', piece: '0', after: '1' },
    { piece: '1 ' },
    { piece: ' 1', after: ',' },
    { piece: '€ ' },
    { before: '1', piece: ',000' },
  ],
  'the start of an action': [
    (startDate) => parseActionScheduler(createActionScheduler(), { startDate }, []),
    { piece: ' 00:00', after: '+ 00:00Z' },
    { piece: 'T10:00:', after: '+x' },
  ],
  'a masked address': [
    maskFieldValue,
    { before: 'a@', piece: '!', after: 'x' },
    { piece: '@' },
    { piece: '4%' },
    { piece: 'a@b.' },
  ],
  'a masked text': [
    maskAddressesInText,
    { before: 'a b@', piece: '!', after: 'x' },
    { piece: '%40' },
    { piece: '%25' },
    { piece: '\\' },
    { piece: '&amp;' },
    { piece: '1 ' },
    { piece: '+1' },
  ],
  'a masked script': [
    mask,
    { before: 'contact.Email ', piece: "'\\\\" },
    { before: 'contact.Email ', piece: '"' },
    { before: 'contact.Email ', piece: '`\\n' },
    { before: 'contact.Email ', piece: '1' },
  ],
  'a masked template': [
    mask,
    { before: '{{ contact.Email ', piece: '{{' },
    { before: '{{ contact.Email ', piece: '{%' },
  ],
  'the address of a link': [normalizeLinkAddress, { before: 'a', piece: ' ', after: 'a' }, { piece: '\t' }],
  'a template of a request': [parseSmsHttpTemplate, { before: '{{', piece: ' ' }, { piece: '{{ ' }, { piece: '{' }],
  'a policy of MTA-STS': [parseMtaStsPolicy, { before: 'mx: 0', piece: '\t', after: 'x' }],
  'a value of a style': [parseSvgValue, { piece: '-', after: 'x' }, { piece: ' ' }, { piece: 'url( ' }],
  'a text with a returned mail': [
    splitReturnedMessage,
    { piece: 'To: \u2028' },
    { piece: '\t' },
    { piece: '-', after: 'x' },
    { piece: 'original message' },
  ],
  'a file name in a header': [
    parseDispositionFilename,
    { piece: ';' },
    { piece: ';filename="' },
    { before: ';', piece: ' ' },
  ],
  'a style sheet': [parseSvgStyleSheet, { piece: '/*' }, { piece: '{' }, { piece: 'a{' }, { piece: '<!--' }],
}

for (const [name, [read, ...texts]] of Object.entries(readers)) {
  test(`${name} is read in processor time in proportion to its length`, async () => {
    for (const text of texts) await assertReadInOneWalk(read, text)
  })
}
