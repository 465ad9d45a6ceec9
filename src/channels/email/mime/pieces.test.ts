import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { simpleParser } from 'mailparser'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { compileContent } from '../../../features/rendering/compile.ts'
import { renderMessagePieces } from '../../../features/rendering/render.ts'
import { sampleInput, sampleSource } from '../../../features/rendering/samples.ts'
import { joinTextPieces } from '../../../features/rendering/templates/pieces.ts'
import { type ComposedMail, composeMail, type MimeMailContent, toMailBytes } from './mime.ts'

const VALUES = [
  '',
  ' ',
  'Ann',
  ' Ann ',
  'é',
  '🎉 Zoé',
  '\n',
  '\r\n',
  'a\n\n\nb',
  'a \nb\t',
  '.',
  '\n.',
  'From ',
  '\nFrom me',
  '=',
  '=_',
  'a=b',
  'x'.repeat(75),
  'y'.repeat(200),
  '  two  blanks  ',
  '<b>&"\'',
  '\u0002',
  '\u0003/',
  '\u00a0',
  '\udc00',
  'https://shop.example/a?b=1&c=é',
  'javascript:alert(1)',
  'Unsubscribe',
  ['a', ' b\n'],
  null,
  3,
]

const TEXTS = [
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  ' \n',
  '\n\n\n\n',
  '.',
  '\n.x',
  '\nFrom here',
  '=',
  '=_',
  'é',
  '🎉',
  'a',
  'word ',
  '<br>',
  '<p>',
  '</p>',
  '<li>',
  '<td>',
  '&nbsp;',
  '&amp;',
  '\u00a0',
  'x'.repeat(76),
  'y'.repeat(90),
  'The late varieties came down from the hill on Tuesday, and the press has been at it since.',
  'Short lines of ASCII\nthat are a static text\nall the same, as they are\nlong enough together,\nor so it seems.\n',
  '    <td>\n\t\tindented text with  two blanks, and long enough to be copied as it is </td>\n\n\n\n<p>and more of it\n',
]

/** Templates of every kind of piece, as deep as `depth`. */
function templates(next: () => number): (depth: number) => string {
  const random = (below: number): number => Math.floor(next() * below)
  const text = (): string => Array.from({ length: random(6) }, () => TEXTS[random(TEXTS.length)]).join('')
  const value = (): string => `data.values[${random(VALUES.length)}]`
  const control = (): string => (random(4) === 0 ? '-' : '')
  const kinds: ((depth: number) => string)[] = [
    text,
    text,
    () => `{{${control()} ${value()} ${control()}}}`,
    () => `{{ ${value()} | raw }}`,
    () => `{{ ${value()} | append: "<i>" | upcase }}`,
    () => `<a href="https://shop.example/${random(9)}?a=1&amp;b=2">${text()}</a>`,
    () => `<a href="https://shop.example/{{ ${value()} | strip }}/${random(9)}">to it</a>`,
    () => `<a href="{{ ${value()} }}" tracking="${random(2) === 0 ? 'Enabled' : 'Disabled'}">there</a>`,
    () => `<a href={{ ${value()} }}>bare</a>`,
    () => '<a href="MirrorPage">mirror</a><a href="{{ links.unsubscribe }}">stop</a> {{ links.mirror }}',
    (depth) => `{%${control()} if ${value()} %}${several(depth)}{% else %}${several(depth)}{% endif ${control()}%}`,
    (depth) => `{% for one in data.two %}${several(depth)}{{ one }}{% endfor %}`,
    (depth) => `{% capture kept %}${several(depth)}{% endcapture %}{{ kept | raw }}`,
    (depth) => `{% capture kept %}${several(depth)}{% endcapture %}{{ kept | slice: 0, ${random(60)} | raw }}`,
    () => `{% raw %}${text()}{{ not this }}{% endraw %}`,
    () => `{% cycle "a ", " b" %}{% increment count %}`,
  ]
  function several(depth: number): string {
    if (depth === 0) return text()
    return Array.from({ length: 1 + random(6) }, () => kinds[random(kinds.length)]?.(depth - 1)).join('')
  }
  return several
}

function mailOf(content: MimeMailContent): ComposedMail {
  const mail = composeMail({
    from: { address: 'news@shop.example' },
    to: { address: 'ann@example.org' },
    subject: 'x',
    timeMs: 0,
    stamp: 'x',
    stampToken: 'x',
    purpose: 'service',
    content,
  })
  assert.ok('headers' in mail)
  return mail
}

const asText = (text: string): string => text.toWellFormed().replace(/\r\n?|\n/g, '\n')
const encodingsOf = (mail: ComposedMail): string[] =>
  toMailBytes(mail)
    .toString('latin1')
    .match(/^Content-Transfer-Encoding: .*$/gm) ?? []

/** RFC 6376, 3.4.4, as it is written. */
const naivelyRelaxed = (body: string): string => body.replace(/[ \t]+/g, ' ').replace(/ \r\n/g, '\r\n')

describe('mail composed of pieces', () => {
  const next = seeded(20261121)
  const template = templates(next)
  const scope = { data: { values: VALUES, two: ['1', ' 2 '] } }

  it('decodes to the rendered text, whatever the template and the values', async () => {
    for (let round = 0; round < 250; round++) {
      const format = round % 2 === 0 ? 1 : 2
      const written = round % 3 === 0 ? { html: template(3) } : { html: template(2), text: template(2) }
      // Readers leave out what is nothing but blanks at either end.
      const html = `<html><body>a${written.html}z</body></html>`
      const source = sampleSource({ contentFormat: format, html, text: written.text ? `a${written.text}z` : null })
      const rendered = renderMessagePieces(compileContent(source), sampleInput(scope, { pixel: true }))
      assert.equal(rendered.outcome, 'rendered', JSON.stringify({ written, rendered }))
      if (rendered.outcome !== 'rendered') continue
      const { html: page = [], text = [] } = rendered.parts
      const whole = { html: joinTextPieces(page), text: joinTextPieces(text) }
      const mail = mailOf({ format, html: page, text })

      const parsed = await simpleParser(toMailBytes(mail), { skipTextToHtml: true, skipHtmlToText: true })
      assert.equal(String(parsed.html).trimEnd(), asText(whole.html).trimEnd())
      if (format === 2) assert.equal((parsed.text ?? '').trimEnd(), asText(whole.text).trimEnd())
      const body = mail.body.toString('latin1')
      for (const line of body.split('\r\n')) {
        assert.ok(line.length <= 76, line)
        assert.doesNotMatch(line, /[ \t]$|^\.|^From |[\r\n]/)
      }
      assert.equal(mail.relaxedBody().toString('latin1'), naivelyRelaxed(body))
      assert.deepEqual(encodingsOf(mail), encodingsOf(mailOf({ format, ...whole })))
    }
  })
})
