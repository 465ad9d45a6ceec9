import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderSample, requireRenderedSample } from './samples.ts'

const data = { name: '<b>"Ann" & \'Co\'</b>', line: 'a\nb', items: ['<1>', '<2>'] }
const ESCAPED_NAME = '&lt;b&gt;&#34;Ann&#34; &amp; &#39;Co&#39;&lt;/b&gt;'
const CAPTURE = '{% capture n %}<i>{{ data.name }}</i>{% endcapture %}'

const render = (html: string) => requireRenderedSample({ html }, { data }).html
const renderCaptured = (html: string) => render(CAPTURE + html)

describe('a text captured in an HTML part', () => {
  it('is printed as the HTML that it is, with the values in it escaped once', () => {
    const captured = `<i>${ESCAPED_NAME}</i>`
    for (const output of [
      '{{ n }}',
      '{{ n | raw }}',
      '{{ ["n"] }}',
      '{% echo n %}',
      '{% liquid echo n %}',
      '{% cycle n %}',
    ])
      assert.equal(renderCaptured(output), captured, output)
    assert.equal(renderCaptured('{% assign m = n %}{% assign o = m %}{{ o }}'), captured)
    assert.equal(renderCaptured('{% for i in (1..2) %}{{ n }}{% endfor %}'), captured + captured)
    assert.equal(
      render('{% for i in data.items %}{% capture c %}{{ i }}{% endcapture %}{{ c }}{% endfor %}'),
      '&lt;1&gt;&lt;2&gt;',
    )
    assert.equal(requireRenderedSample({ html: `${CAPTURE}{{ n }}` }, { data }, { strict: true }).html, captured)
  })

  it('is escaped once within other captures', () => {
    const nested =
      '{% capture o %}<u>{{ n }}{% capture p %}{{ n }}{{ data.name }}{% endcapture %}{{ p }}</u>{% endcapture %}{{ o }}'
    const captured = `<i>${ESCAPED_NAME}</i>`
    assert.equal(renderCaptured(nested), `<u>${captured}${captured}${ESCAPED_NAME}</u>`)
    assert.equal(
      renderCaptured('{% capture n %}{{ n }}!{% endcapture %}{% capture n %}{{ n }}!{% endcapture %}{{ n }}'),
      `${captured}!!`,
    )
  })

  it('remains HTML after filters that neither make nor unmake markup', () => {
    assert.equal(renderCaptured('{{ n | upcase }}'), `<I>${ESCAPED_NAME.toUpperCase()}</I>`)
    assert.equal(renderCaptured('{{ n | upcase | downcase }}'), `<i>${ESCAPED_NAME.toLowerCase()}</i>`)
    assert.equal(renderCaptured('{{ n | strip_html }}'), ESCAPED_NAME)
    assert.equal(renderCaptured('{% assign m = n | strip_html %}{{ m }}'), ESCAPED_NAME)
    assert.equal(render('{% capture n %} {{ data.line }} {% endcapture %}[{{ n | strip }}]'), '[a\nb]')
    assert.equal(
      render('{% capture n %} {{ data.line }} {% endcapture %}[{{ n | lstrip | rstrip | strip_newlines }}]'),
      '[ab]',
    )
    assert.equal(renderCaptured('{{ n | newline_to_br }}'), `<i>${ESCAPED_NAME}</i>`)
    assert.equal(render('{% capture n %}{{ data.line }}<hr>{% endcapture %}{{ n | newline_to_br }}'), 'a<br />\nb<hr>')
    for (const name of ['escape', 'escape_once', 'xml_escape', 'escape | upcase | downcase'])
      for (const strict of [false, true]) {
        const html = `${CAPTURE}{{ n | ${name} | downcase }}{% assign m = n | ${name} %}{{ m }}{{ n | ${name} }}`
        const expected = requireRenderedSample({ html: `${CAPTURE}{{ n | downcase }}{{ n }}{{ n }}` }, { data }).html
        const rendered = requireRenderedSample({ html }, { data }, { strict }).html
        assert.equal(rendered.toLowerCase(), expected.toLowerCase(), name)
      }
    assert.equal(
      renderCaptured('{{ n | default: "x" }}{{ data.none | default: n }}'),
      `<i>${ESCAPED_NAME}</i>`.repeat(2),
    )
    assert.equal(renderCaptured('{% capture e %}{% endcapture %}{{ e | default: data.name }}'), ESCAPED_NAME)
  })

  it('is joined with values that are escaped once', () => {
    const captured = `<i>${ESCAPED_NAME}</i>`
    assert.equal(renderCaptured('{{ n | append: data.name }}'), captured + ESCAPED_NAME)
    assert.equal(renderCaptured('{{ n | prepend: data.name | append: "<" }}'), `${ESCAPED_NAME}${captured}&lt;`)
    assert.equal(renderCaptured('{{ data.name | append: n }}'), ESCAPED_NAME + captured)
    assert.equal(renderCaptured('{{ n | append: n }}'), captured + captured)
    assert.equal(renderCaptured('{{ data.name | append: "<" }}'), `${ESCAPED_NAME}&lt;`)
  })

  it('is escaped like any value after a filter that can make markup of it', () => {
    const lookup = ['replace: "&lt;", "<"', 'replace: "&lt;", "<" | strip', 'url_decode', 'url_decode | upcase']
    for (const filters of [...lookup, 'split: "&" | join: "&"', 'slice: 0, 9', 'remove: "&lt;"', 'truncate: 9'])
      assert.doesNotMatch(renderCaptured(`{{ n | ${filters} }}`), /</, filters)
    const decoded = { q: '%3Cscript%3E' }
    const html = '{% capture n %}{{ data.q }}{% endcapture %}{{ n | url_decode }}'
    assert.equal(requireRenderedSample({ html }, { data: decoded }).html, '&lt;script&gt;')
  })

  it('makes no value HTML that has its name or its text', () => {
    const markup = { n: '<i>', list: ['<i>'] }
    const html = (text: string) => requireRenderedSample({ html: text }, { data: markup }).html
    const captured = '{% capture n %}<i>{% endcapture %}'
    assert.equal(html(`${captured}{{ data.n }}{{ data.list }}`), '&lt;i&gt;&lt;i&gt;')
    assert.equal(html(`${captured}{% assign n = data.n %}{{ n }}`), '&lt;i&gt;')
    assert.equal(html(`${captured}{% for n in data.list %}{{ n }}{% endfor %}{{ n }}`), '&lt;i&gt;<i>')
    assert.equal(html(`{% if false %}${captured}{% endif %}{% assign n = data.n %}{{ n }}`), '&lt;i&gt;')
  })

  it('is compared, measured and tested as its text', () => {
    const text = '{% capture n %}<i>{% endcapture %}{% capture e %}{% endcapture %}{% capture b %} {% endcapture %}'
    const conditions = {
      'n == "<i>"': true,
      '"<i>" == n': true,
      'n != "<i>"': false,
      'n contains "i"': true,
      '"<i><i>" contains n': true,
      'n.size == 3': true,
      'n > "<h"': true,
      'e == empty': true,
      'empty == e': true,
      'b == blank': true,
      'blank == b': true,
      'n == blank': false,
      'n and e': true,
    }
    for (const [condition, holds] of Object.entries(conditions))
      assert.equal(render(`${text}{% if ${condition} %}yes{% else %}no{% endif %}`), holds ? 'yes' : 'no', condition)
    assert.equal(render(`${text}{% case n %}{% when "<i>" %}yes{% else %}no{% endcase %}`), 'yes')
    assert.equal(render(`${text}{{ n | size }}{{ n | json | raw }}{{ n.html }}{{ n.first }}`), '3"<i>"')
    assert.equal(render(`${text}{% for c in n %}{{ forloop.length }}{% endfor %}`), '1')
    const cancelled = renderSample({ html: `${text}{% cancel n %}` })
    assert.match(JSON.stringify(cancelled), /"<i>"/)
  })

  it('is a plain text in the parts that are not HTML', () => {
    const template = `${CAPTURE}{{ n }}{{ n | upcase }}`
    const message = requireRenderedSample({ contentFormat: 2, html: '<p></p>', text: template }, { data })
    assert.equal(message.text, `<i>${data.name}</i><I>${data.name.toUpperCase()}</I>`)
  })

  it('keeps the links in it', () => {
    const html = '{% capture n %}<a href="https://shop.example/a">A</a>{% endcapture %}{{ n }}{{ n | append: "" }}'
    assert.equal(requireRenderedSample({ html }).html.match(/<a href="https:\/\/t\.shop\.example\/t\/r\//g)?.length, 2)
  })
})
