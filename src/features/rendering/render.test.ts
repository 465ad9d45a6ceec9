import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { within } from '#test/support/processes/processor-time.ts'
import { parseLinkToken } from '../../lib/crypto/tokens.ts'
import { compileContent } from './compile.ts'
import { renderMessage } from './render.ts'
import {
  renderSample,
  requireRenderedSample,
  sampleInput,
  sampleSource,
  sampleStamp,
  sampleTokenKeys,
  sampleTrackingUrl,
} from './samples.ts'

/** The tokens of redirects in a text, with the target that travels along. */
function redirects(text: string): { link: number; target: string | undefined }[] {
  return [...text.matchAll(/\/t\/r\/([\w-]{72})(?:\/([\w-]+))?/g)].map(([, token = '', path]) => {
    const target = path === undefined ? undefined : Buffer.from(path, 'base64url').toString()
    const read = parseLinkToken(sampleTokenKeys, token, 'redirection', target)
    assert.ok(read, 'the token is good for its target')
    return { link: read.link, target }
  })
}

describe('template values', () => {
  it('are escaped in html and amp but not in subject and text', () => {
    const template = '{{ data.a }}'
    const content = { contentFormat: 2, subject: template, html: template, text: template, amp: template }
    const message = requireRenderedSample(content, { data: { a: '<b>' } })
    assert.deepEqual(
      [message.html, message.amp, message.text, message.subject],
      ['&lt;b&gt;', '&lt;b&gt;', '<b>', '<b>'],
    )
  })

  it('are not escaped after raw or in a preview that requests it', () => {
    assert.equal(requireRenderedSample({ html: '{{ data.a | raw }}' }, { data: { a: '<b>' } }).html, '<b>')
    const preview = { mode: 'preview' as const, display: 16 }
    assert.equal(requireRenderedSample({ html: '{{ data.a }}' }, { data: { a: '<b>' } }, preview).html, '<b>')
  })

  it('are escaped once in html, whatever filter escapes them', () => {
    const data = { a: '<b> & "c"\nd' }
    const html = (filters: string) => requireRenderedSample({ html: `{{ data.a | ${filters} }}` }, { data }).html
    const escaped = '&lt;b&gt; &amp; &#34;c&#34;'
    for (const filters of ['escape', 'escape_once', 'xml_escape', 'upcase | downcase'])
      assert.equal(html(filters), `${escaped}\nd`, filters)
    for (const filters of ['newline_to_br', 'escape | newline_to_br', 'escape | newline_to_br | raw'])
      assert.equal(html(filters), `${escaped}<br />\nd`, filters)
    assert.equal(html('newline_to_br | raw'), '<b> & "c"<br />\nd')
    assert.equal(html('newline_to_br | upcase'), '&lt;B&gt; &amp; &#34;C&#34;&lt;BR /&gt;\nD')
    assert.equal(html('escape | upcase'), '&amp;LT;B&amp;GT; &amp;AMP; &amp;#34;C&amp;#34;\nD')
    assert.equal(requireRenderedSample({ subject: '{{ data.a | escape }}' }, { data }).subject, `${escaped} d`)
  })

  it('are cut by truncatewords only if they have more words', () => {
    const cut = (words: number) =>
      requireRenderedSample({ html: `{{ data.a | truncatewords: ${words} }}` }, { data: { a: 'one two\nthree' } })
    assert.deepEqual(
      [cut(4), cut(3), cut(2), cut(0)].map(({ html }) => html),
      ['one two\nthree', 'one two\nthree', 'one two...', 'one...'],
    )
  })

  it('that are objects are printed in the notation of Ruby, in filters of texts too', () => {
    const data = { o: { 'a"b': 'x', n: 1, no: null, list: [true, 'y'], in: {} }, list: [{ a: 1 }, 'b', [{}]], none: {} }
    const plain = (text: string) => requireRenderedSample({ subject: text }, { data }).subject
    assert.equal(plain('{{ data.o }}'), '{"a\\"b"=>"x", "n"=>1, "no"=>nil, "list"=>[true, "y"], "in"=>{}}')
    assert.equal(plain('{{ data.list }}|{{ data.list | join: ", " }}'), '{"a"=>1}b{}|{"a"=>1}, b, {}')
    assert.equal(plain('{{ data.list[0] | upcase }}{{ "x" | append: data.none }}'), '{"A"=>1}x{}')
    assert.equal(plain('{{ data.none | default: "none" }}{{ data.list[0] | default: "none" }}'), 'none{"a"=>1}')
    assert.equal(requireRenderedSample({ html: '{{ data.list[0] }}' }, { data }).html, '{&#34;a&#34;=&gt;1}')
  })

  it('are summed in nested lists too, by a member of their objects if one is named', () => {
    const data = { nested: [1, ['2', [3, true, null, { n: 9 }]]], rows: [{ n: 1 }, [{ n: '2.5' }], { m: 9 }] }
    const html = '{{ data.nested | sum }} {{ data.rows | sum: "n" }} {{ data.none | sum }}'
    assert.equal(requireRenderedSample({ html }, { data }).html, '6 3.5 0')
  })

  it('are sliced up to their end if the slice is longer', () => {
    const html =
      '{{ data.text | slice: 1, 9223372036854775807 }}{{ data.list | slice: -2, 1000000000000 }}{{ "abc" | slice: 1 }}'
    const data = { text: 'foo', list: [1, 2, 3] }
    assert.equal(requireRenderedSample({ html }, { data }).html, 'oo23b')
  })

  it("with a bare name come from variables, then data, then the contact's fields", () => {
    const html = '{{ Firstname }}'
    const variables = [
      { key: 'Firstname', value: 'first' },
      { key: 'Firstname', value: 'variable' },
    ]
    const data = { Firstname: 'data' }
    assert.equal(requireRenderedSample({ html }, { variables, data }).html, 'variable')
    assert.equal(requireRenderedSample({ html }, { data }).html, 'data')
    assert.equal(requireRenderedSample({ html }).html, 'Ann')
    assert.equal(requireRenderedSample({ html: '{{ [data.name] }}' }, { data: { name: 'Firstname' } }).html, 'Ann')
  })

  it('of a contact are available by name and by id, except for reserved names', () => {
    const html =
      '{{ contact["First name"] }},{{ contact.fields["42"] }},{{ contact.fields.Firstname }},{{ contact.id }}'
    assert.equal(requireRenderedSample({ html }).html, 'Ann Marie,Ann,Ann,000R4M0T')
    assert.equal(
      requireRenderedSample({ html: '{% for tag in contact.Tags %}{{ tag }};{% endfor %}' }).html,
      'red;green;',
    )
    assert.equal(
      requireRenderedSample({ html: '{{ contact.id }}|{{ contact.Firstname }}' }, { contact: null }).html,
      '|',
    )
  })

  it('include keyed blocks, the environment, the action and the current time', () => {
    const html =
      '{{ block.top }} {{ blocks.size }} {{ environment.season }} {{ action.name }} {{ now | date: "%F %R" }}'
    const blocks = [{ key: 'top', value: 'T' }, 'other']
    assert.equal(requireRenderedSample({ html }, { blocks }).html, 'T 2 spring Spring opening 2026-03-20 09:00')
  })

  it('never reach a constructor, a prototype or a method', () => {
    const html =
      '{{ contact.constructor }}{{ contact.__proto__ }}{{ data.toString }}{{ Firstname.constructor.name }}{{ constructor }}'
    assert.equal(requireRenderedSample({ html }).html, '')
  })

  it('are empty and reported when missing, and only empty when null', () => {
    const message = requireRenderedSample(
      { html: '[{{ data.x.y }}{{ nothing }}{{ contact.Firstname }}]' },
      { contact: null },
    )
    assert.equal(message.html, '[]')
    assert.deepEqual(message.missing, ['data.x.y', 'nothing'])
  })

  it('incremented in one part do not affect other parts', () => {
    const template = '{% increment n %}{% increment n %}'
    const message = requireRenderedSample({ contentFormat: 2, html: template, text: template })
    assert.deepEqual([message.html, message.text], ['01', '01'])
  })
})

describe('tags', () => {
  const htmlOf = (html: string, data: Record<string, unknown> = {}) => requireRenderedSample({ html }, { data }).html

  it('in a raw text are text, whose end may have dashes', () => {
    assert.equal(htmlOf('> {%- raw -%} {{ a }}{% if %} {%- endraw -%} <'), '> {{ a }}{% if %} <')
    assert.equal(htmlOf('{% raw %}{% endraw %}{%raw%}{{-endraw%}{%-endraw%} b'), '{{-endraw%} b')
    assert.equal(htmlOf('{% raw %}{% endrawer %}{% endraw {% endraw %}'), '{% endrawer %}{% endraw ')
  })

  it('in a loop within a loop reach the counters of the outer one', () => {
    const inner = '{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ forloop.index }} {% endfor %}'
    assert.equal(htmlOf(`{% for i in (1..2) %}${inner}{% endfor %}`), '11 12 21 22 ')
    const third = '{% for k in (1..1) %}{{ forloop.parentloop.parentloop.last }} {% endfor %}'
    assert.equal(htmlOf(`{% for i in (1..2) %}{% for j in (1..1) %}${third}{% endfor %}{% endfor %}`), 'false true ')
    assert.equal(htmlOf('{% for i in (1..1) %}[{{ forloop.parentloop.index }}]{% endfor %}'), '[]')
  })

  it('of one cycle go on by its name, else by its values as written', () => {
    assert.equal(htmlOf('{% cycle "g": 1, 2 %}{% cycle "g": "a", "b" %}{% cycle "g": 1, 2 %}'), '1b1')
    assert.equal(htmlOf('{% cycle 0, false %}{% cycle 0, false %}{% cycle 0, 1 %}'), '0false0')
    const data = { a: '<', n: 'x' }
    assert.equal(htmlOf('{% cycle data.a, 2 %}{% cycle data.a, 2 %}', data), '&lt;&lt;')
    assert.equal(htmlOf('{% for i in (1..3) %}{% cycle data.a, 2 %}{% endfor %}', data), '&lt;2&lt;')
    assert.equal(htmlOf('{% cycle data.n: 1, 2 %}{% cycle "x": 1, 2 %}{% cycle "y": 1, 2 %}', data), '121')
  })
})

describe('subjects', () => {
  it('are one line, whatever their values contain', () => {
    const data = { a: 'Hi\r\nBcc: x@y.example\u0000\u2028there ' }
    assert.equal(requireRenderedSample({ subject: ' {{ data.a }}' }, { data }).subject, 'Hi Bcc: x@y.example there')
  })

  it('have the prefix of a proof and can be replaced unchanged', () => {
    const proof = { mode: 'proof' as const, prefix: '[TEST] ' }
    assert.equal(requireRenderedSample({ subject: 'Hi' }, {}, proof).subject, '[TEST] Hi')
    assert.equal(
      requireRenderedSample({ subject: 'Hi' }, {}, { headers: { subject: '{{ x }}\nY' } }).subject,
      '{{ x }} Y',
    )
  })
})

describe('formatted values', () => {
  it('follow the culture and the zone for money, numbers and dates', () => {
    const html =
      '{{ 1234.5 | money: "EUR" }}|{{ 3.14159 | number: 2 }}|{{ data.at | date: "%A %-d %B %H:%M" }}|{{ "2026-03-20" | date: "long" }}'
    const data = { at: '2026-03-20T23:30:00Z' }
    assert.equal(
      requireRenderedSample({ html }, { data }).html.replace(/\s/g, ' '),
      '1 234,50 €|3,14|samedi 21 mars 00:30|20 mars 2026',
    )
    const english = requireRenderedSample({ html, culture: 'en-US' }, { data }, { zone: 'America/New_York' })
    assert.equal(english.html, '€1,234.50|3.14|Friday 20 March 19:30|March 20, 2026')
  })
})

describe('an internationalised host', () => {
  const data = { u: 'https://münze.example/é?x=1&y=2', host: 'münze.example' }
  const plain = { mode: 'copy' as const }

  it('of an untracked link is sent as A-labels in HTML', () => {
    const off = 'tracking="Disabled"'
    for (const [written, sent] of [
      ['"https://münze.example/a?b=1&amp;c=é"', '"https://xn--mnze-0ra.example/a?b=1&amp;c=é"'],
      ["'https://m&uuml;nze.example'", "'https://xn--mnze-0ra.example'"],
      ['https://münze.example', '"https://xn--mnze-0ra.example"'],
      ['"{{ data.u }}"', '"https://xn--mnze-0ra.example/é?x=1&amp;y=2"'],
      ['"https://{{ data.host }}/a"', '"https://xn--mnze-0ra.example/a"'],
      ['"https://münze.example:8443"', '"https://xn--mnze-0ra.example:8443"'],
      ['"https://shop.example/é%20"', '"https://shop.example/é%20"'],
    ]) {
      assert.equal(
        requireRenderedSample({ html: `<a href=${written} ${off}>x</a>` }, { data }).html,
        `<a href=${sent}>x</a>`,
      )
      const html = `<a href=${written}>x</a><!--[if mso]><v:rect href=${written}><![endif]-->`
      const copy = `<a href=${sent}>x</a><!--[if mso]><v:rect href=${sent}><![endif]-->`
      assert.equal(requireRenderedSample({ html }, { data }, plain).html, copy)
    }
  })

  it('of an address is sent as A-labels in text, given and derived', () => {
    const text = 'See https://münze.example. Or (https://münze.example/ü), {{ "https://münze.example/é" | tracked }}'
    const sent = 'See https://xn--mnze-0ra.example. Or (https://xn--mnze-0ra.example/ü), https://xn--mnze-0ra.example/é'
    assert.equal(requireRenderedSample({ contentFormat: 2, html: 'x', text }, {}, plain).text, sent)
    const html = '<a href="https://münze.example/ü">Münze</a> <a href="https://münze.example/{{ data.host }}">Hier</a>'
    assert.equal(
      requireRenderedSample({ contentFormat: 2, html }, { data }).text,
      'Münze [https://xn--mnze-0ra.example/ü] Hier [https://xn--mnze-0ra.example/münze.example]\n',
    )
    assert.equal(requireRenderedSample({ subject: 'https://münze.example', html: '' }).subject, 'https://münze.example')
  })

  it('does not move the places of errors', () => {
    const text = 'https://münze.example {{ contact.No }}'
    assert.deepEqual(compileContent(sampleSource({ contentFormat: 2, html: 'x', text })).errors[0]?.position, {
      line: 1,
      column: 26,
    })
  })
})

describe('the cancel tag', () => {
  it('cancels only the message concerned, with its reason', () => {
    const compiled = compileContent(
      sampleSource({ html: '{% if data.stock == 0 %}{% cancel "no stock" %}{% endif %}Buy' }),
    )
    const outcomes = [1, 0, 2].map((stock) => renderMessage(compiled, sampleInput({ data: { stock } })))
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['rendered', 'cancelled', 'rendered'],
    )
    assert.deepEqual(outcomes[1], { outcome: 'cancelled', message: 'no stock' })
  })
})

describe('rendering limits', () => {
  for (const [name, html] of [
    ['a range', '{% for i in (1..100000000) %}x{% endfor %}'],
    ['steps', '{% for i in (1..300000) %}x{% endfor %}'],
    ['nested loops', '{% for i in (1..100000) %}{% for j in (1..100) %}{% endfor %}{% endfor %}'],
    ['memory', '{% assign s = "abcdefghij" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}'],
    ['output', '{% assign s = data.long %}{% for i in (1..30) %}{{ s }}{% endfor %}'],
  ] as const)
    it(`stop a template that exceeds them and let the next render work: ${name}`, () => {
      const failed = within(1000, () => renderSample({ html }, { data: { long: 'x'.repeat(100_000) } }))
      assert.equal(failed.outcome, 'failed')
      assert.equal(failed.outcome === 'failed' && failed.type, 'limit')
      assert.equal(requireRenderedSample({ html: 'ok' }).html, 'ok')
    })

  it('report the part and position of the offending tag', () => {
    const failed = renderSample({ html: 'a\n  {% for i in (1..100000000) %}x{% endfor %}' })
    assert.deepEqual(failed.outcome === 'failed' && [failed.part, failed.position], ['html', { line: 2, column: 3 }])
  })
})

describe('content with syntax errors', () => {
  it('is never rendered in any mode, but can be overridden', () => {
    const content = { html: 'a\n{% include "x" %}', subject: 'S' }
    for (const mode of ['live', 'preview', 'mirror'] as const) {
      const failed = renderSample(content, {}, { mode })
      assert.deepEqual(failed.outcome === 'failed' && [failed.type, failed.part, failed.position], [
        'unknown-tag',
        'html',
        { line: 2, column: 1 },
      ])
    }
    assert.equal(requireRenderedSample(content, {}, { inline: { html: 'given' } }).html, 'given')
  })
})

describe('links of a live message', () => {
  it('are tracked by number for known targets and with a signed target for values', () => {
    const html =
      '<a href="https://shop.example/a?x=1&amp;y=2">A</a><a href="{{ data["u"] }}">B</a><a href="https://shop.example/{{ data.sku }}?a=1&amp;b=2">C</a>'
    const data = { u: 'https://x.example/?q="1"&r=é', sku: 'a&b' }
    const message = requireRenderedSample({ html }, { data })
    assert.deepEqual(redirects(message.html), [
      { link: 1, target: undefined },
      { link: 2, target: data.u },
      { link: 3, target: 'https://shop.example/a&b?a=1&b=2' },
    ])
  })

  it('are refused when the target in the path is replaced', () => {
    const { html } = requireRenderedSample(
      { html: '<a href="{{ data.u }}">B</a>' },
      { data: { u: 'https://x.example/' } },
    )
    const token = /\/t\/r\/([\w-]{72})\//.exec(html)?.[1] ?? ''
    assert.equal(parseLinkToken(sampleTokenKeys, token, 'redirection', 'https://evil.example/'), undefined)
    assert.equal(parseLinkToken(sampleTokenKeys, token, 'redirection', 'https://x.example/')?.stamp, sampleStamp)
    assert.equal(parseLinkToken(sampleTokenKeys, token, 'unsubscribe', 'https://x.example/'), undefined)
  })

  it('become # when a value makes them unsafe, even if characters hide the scheme', () => {
    for (const u of ['javascript:alert(1)', ' JavaScript:x', 'java\nscript:x', '\u0001vbscript:x', 'data:text/html,x'])
      assert.equal(
        requireRenderedSample({ html: '<a href="{{ data.u }}">x</a>' }, { data: { u } }).html,
        '<a href="#">x</a>',
      )
    const untracked = '<a href="{{ data.u }}" tracking="Disabled">x</a>'
    assert.equal(requireRenderedSample({ html: untracked }, { data: { u: 'javascript:x' } }).html, '<a href="#">x</a>')
  })

  it('are unchanged for mailto, tel, anchors, empty and relative addresses', () => {
    const html =
      '<a href="mailto:a@b.example">1</a><a href="tel:1">2</a><a href="#x">3</a><a href="">4</a><a href>5</a><a href="/x">6</a>'
    assert.equal(requireRenderedSample({ html }).html, html)
    assert.equal(
      requireRenderedSample({ html: '<a href="{{ data.u }}">x</a>' }, { data: { u: 'mailto:a' } }).html,
      '<a href="mailto:a">x</a>',
    )
  })

  it('to service pages can be written by keyword, by type and by name', () => {
    const html =
      '<a href="MirrorPage">1</a><a href="unsubscribe" linktype="System">2</a><a href="0000gh" linktype="Form">3</a><a href="{{ links.unsubscribe }}">4</a>{{ links.form["0000GH"] }}'
    const message = requireRenderedSample({ html }).html
    assert.deepEqual(
      [...message.matchAll(/\/t\/([a-z])\//g)].map(([, kind]) => kind),
      ['m', 'u', 'f', 'u', 'f'],
    )
    assert.ok(!message.includes('linktype'))
  })

  it('to service pages are not tracked again when used as a value', () => {
    const html = '{% assign u = links.unsubscribe %}<a href="{{ u }}">x</a>'
    assert.match(
      requireRenderedSample({ html }).html,
      new RegExp(`^<a href="${sampleTrackingUrl}/t/u/[\\w-]{72}">x</a>$`),
    )
  })

  it('of over 1,500 bytes from a value get a short code', () => {
    const u = `https://x.example/?${'a'.repeat(1500)}`
    const message = requireRenderedSample({ html: '<a href="{{ data.u }}">x</a>' }, { data: { u } })
    const [short] = message.shortLinks
    assert.match(short?.code ?? '', /^[0-9A-Za-z]{10}$/)
    assert.deepEqual(short, { code: short?.code, kind: 'redirection', link: 1, target: u })
    assert.equal(message.html, `<a href="${sampleTrackingUrl}/s/${short?.code}">x</a>`)
  })

  it('in text are tracked by the filter, and an invalid target is an error', () => {
    const content = {
      contentFormat: 3,
      text: 'See {{ "https://shop.example/a" | tracked: "a" }}, {{ data.u | tracked: "b" }}.',
    }
    const message = requireRenderedSample(content, { data: { u: 'https://x.example/' } })
    assert.deepEqual(redirects(message.text), [
      { link: 1, target: undefined },
      { link: 2, target: 'https://x.example/' },
    ])
    const failed = renderSample(content, { data: { u: 'ftp://x' } })
    assert.equal(failed.outcome === 'failed' && failed.type, 'unsafe-link')
  })

  it('survive a capture and disappear with their branch', () => {
    const html =
      '{% capture x %}<a href="https://shop.example/a">A</a>{% endcapture %}{% if data.no %}<a href="https://shop.example/b">B</a>{% endif %}{{ x | raw }}{{ x | truncate: 999 }}'
    const message = requireRenderedSample({ html })
    assert.deepEqual(
      redirects(message.html).map(({ link }) => link),
      [1, 1],
    )
    assert.ok(message.html.includes('&lt;a href=&#34;https://t.shop.example'))
  })
})

describe('rendering modes', () => {
  const html =
    '<html><body><a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="Unsubscribe">U</a> <a href="{{ data.u }}">D</a></body></html>'
  const data = { u: 'https://x.example/?a&b' }

  it('live adds a pixel at the end of the body and a honeypot at its beginning', () => {
    const message = requireRenderedSample({ html, honeypot: true }, { data }, { pixel: true }).html
    assert.match(
      message,
      /<body><a href="[^"]+\/t\/h\/[\w-]{72}" style="display:none" aria-hidden="true" tabindex="-1"><\/a><a /,
    )
    assert.match(
      message,
      /<img src="https:\/\/t\.shop\.example\/t\/o\/[\w-]{72}" width="1" height="1" alt="" style="display:block;border:0"><\/body><\/html>$/,
    )
    assert.doesNotMatch(requireRenderedSample({ html }, { data }).html, /\/t\/o\//)
    assert.match(requireRenderedSample({ html: 'x' }, {}, { pixel: true }).html, /^x<img /)
  })

  it('proof marks its tokens as test', () => {
    const message = requireRenderedSample({ html }, { data }, { mode: 'proof' }).html
    const token = /\/t\/u\/([\w-]{72})/.exec(message)?.[1] ?? ''
    assert.equal(parseLinkToken(sampleTokenKeys, token, 'unsubscribe')?.test, true)
  })

  it('preview has plain targets and preview pages, and silent tokens and a pixel only on request', () => {
    const plain = requireRenderedSample({ html }, { data }, { mode: 'preview', pixel: true }).html
    assert.equal(
      plain,
      '<html><body><a href="https://shop.example/a?x=1&amp;y=2">A</a> <a href="https://t.shop.example/t/preview">U</a> <a href="https://x.example/?a&amp;b">D</a></body></html>',
    )
    const silent = requireRenderedSample({ html }, { data }, { mode: 'preview', pixel: true, display: 3 }).html
    for (const kind of ['open', 'unsubscribe'] as const) {
      const token = new RegExp(`/t/${kind[0]}/([\\w-]{72})`).exec(silent)?.[1] ?? ''
      assert.equal(parseLinkToken(sampleTokenKeys, token, kind)?.silent, true)
    }
  })

  it('copy has plain targets, silent system links and no pixel', () => {
    const copy = requireRenderedSample({ html }, { data }, { mode: 'copy', pixel: true }).html
    assert.ok(copy.includes('"https://shop.example/a?x=1&amp;y=2"') && copy.includes('"https://x.example/?a&amp;b"'))
    assert.doesNotMatch(copy, /\/t\/[or]\//)
    const token = /\/t\/u\/([\w-]{72})/.exec(copy)?.[1] ?? ''
    assert.equal(parseLinkToken(sampleTokenKeys, token, 'unsubscribe')?.silent, true)
  })

  it('mirror has tracked links, no pixel and only the html part, or the text part without one', () => {
    const mirror = requireRenderedSample(
      { contentFormat: 2, html, text: 'T' },
      { data },
      { mode: 'mirror', pixel: true },
    )
    assert.match(mirror.html, /\/t\/r\//)
    assert.doesNotMatch(mirror.html, /\/t\/o\//)
    assert.equal(mirror.text, '')
    assert.equal(requireRenderedSample({ contentFormat: 3, text: 'T' }, {}, { mode: 'mirror' }).text, 'T')
  })

  it('override uses the provided content unchanged, without templates or tracking', () => {
    const inline = { html: '<a href="https://x.example">{{ x }}</a>' }
    const message = requireRenderedSample(
      { contentFormat: 2, html, text: 'T', subject: 'S' },
      {},
      { inline, pixel: true },
    )
    assert.deepEqual([message.html, message.text, message.subject], [inline.html, '', 'S'])
  })

  it('rendering one part leaves the others empty', () => {
    const message = requireRenderedSample({ contentFormat: 2, html: 'H', text: 'T' }, {}, { part: 'text' })
    assert.deepEqual([message.html, message.text], ['', 'T'])
  })

  it('sms has short links and tracked addresses, and the same short link for the same page', () => {
    const textContent = '{{ "https://shop.example/a" | tracked: "a" }} {{ links.unsubscribe }} {{ links.unsubscribe }}'
    const message = requireRenderedSample({ channel: 'sms', textContent }, {}, { prefix: 'T ' })
    const codes = message.shortLinks.map(({ code }) => code)
    assert.equal(
      message.text,
      `T ${sampleTrackingUrl}/s/${codes[0]} ${sampleTrackingUrl}/s/${codes[1]} ${sampleTrackingUrl}/s/${codes[1]}`,
    )
    assert.deepEqual(
      message.shortLinks.map(({ kind, link, target }) => [kind, link, target]),
      [
        ['redirection', 1, 'https://shop.example/a'],
        ['unsubscribe', 0, null],
      ],
    )
  })
})

describe('strict rendering', () => {
  it('fails for unknown paths of known objects and only reports values that may still arrive', () => {
    const html =
      '{{ contact[data.name] }} {{ data.late }} {{ Late }} {{ stamp[data.k] }}{% if data.maybe %}{% endif %}{{ data.d | default: "-" }}'
    const failed = renderSample({ html }, { data: { name: 'Nofield', k: 'x' } }, { strict: true })
    assert.equal(failed.outcome, 'failed')
    assert.deepEqual(
      failed.outcome === 'failed' && failed.errors.map(({ type, message, position }) => [type, message, position]),
      [
        ['unknown-field', 'There is no contact.Nofield.', { line: 1, column: 4 }],
        ['unknown-field', 'There is no stamp.x.', { line: 1, column: 56 }],
      ],
    )
    assert.deepEqual(failed.outcome === 'failed' && failed.findings.map(({ type, message }) => [type, message]), [
      ['unknown-variable', 'There is no data.late.'],
      ['unknown-variable', 'There is no Late.'],
    ])
  })

  it('fails for errors known without a contact, which lenient rendering leaves empty', () => {
    const content = { html: '[{{ contact.Nofield }}]' }
    const failed = renderSample(content, {}, { strict: true })
    assert.deepEqual(failed.outcome === 'failed' && [failed.type, failed.position], [
      'unknown-field',
      { line: 1, column: 5 },
    ])
    assert.equal(requireRenderedSample(content).html, '[]')
  })

  it('renders leniently when there are only findings', () => {
    const message = requireRenderedSample({ html: '[{{ data.late }}]' }, {}, { strict: true })
    assert.equal(message.html, '[]')
    assert.equal(message.findings.length, 1)
  })
})
