import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { within } from '#test/support/processes/processor-time.ts'
import { compileContent } from './compile.ts'
import { renderSample, requireRenderedSample, sampleSource } from './samples.ts'

const LONG = 'x'.repeat(100_000)
const PATIENCE_MS = 10_000

/** A text of about so many characters, made of one piece. */
const filledWith = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))

/** Renders what has to end soon: at a limit, as an error of the template. */
function assertLimited(html: string, data: Record<string, unknown>, message = /more than|longer than|up to/): void {
  const failed = within(PATIENCE_MS, () => renderSample({ html }, { data }))
  assert.deepEqual([failed.outcome, failed.outcome === 'failed' && failed.type], ['failed', 'limit'])
  assert.match(failed.outcome === 'failed' ? failed.message : '', message)
}

describe('host objects in templates', () => {
  const inLoop = (body: string) => `{% for i in (1..1) %}${body}{% endfor %}`
  const words = ['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__']
  const holders = ['data', 'contact', 'contact.fields', 'links', 'variables', 'now', 'data.list', 'data.text', '(1..3)']
  const drops = ['forloop', 'empty', 'nil', 'blank', 'true']

  for (const word of words)
    it(`are out of reach by ${word}, whether written, passed as a value or used in a filter`, () => {
      const paths = [...holders, ...drops].flatMap((holder) => [
        `{{ ${holder}["${word}"] }}{{ ${holder}[data.word] }}{{ ${holder}.${word}.${word} }}`,
      ])
      const filters = ['map', 'where', 'find', 'sum', 'sort'].map((name) => `{{ data.list | ${name}: "${word}" }}`)
      const ofDrop =
        '{% assign all = data.list | push: forloop %}{{ all | map: data.word }}{{ all | where: data.word }}'
      const html = inLoop(`${paths.join('')}${filters.join('')}${ofDrop}{{ ${word} }}{{ [data.word] }}`)
      const shown = requireRenderedSample({ html }, { data: { word, list: [{ a: 1 }], text: 'text' } }).html
      assert.equal(shown.replaceAll('0', '').replace('{&#34;a&#34;=&gt;1}', ''), '')
    })

  it('loops show their counters', () => {
    const html = inLoop('{{ forloop.index }}{{ forloop.first }}{{ forloop.length }}{{ forloop.rindex0 }}')
    assert.equal(requireRenderedSample({ html }).html, '1true10')
    const row = '{% tablerow i in (1..2) cols:1 %}{{ tablerowloop.row }}{{ tablerowloop.constructor }}{% endtablerow %}'
    assert.match(requireRenderedSample({ html: row }).html, /^<tr class="row1"><td class="col1">1<\/td><\/tr>/)
  })

  it('stay unchanged, and members named like theirs are plain data', () => {
    const data = JSON.parse('{"__proto__": {"a": "own"}, "constructor": "mine"}') as Record<string, unknown>
    const html = '{{ data.__proto__.a }}{{ data.constructor }}{{ constructor }}'
    assert.equal(requireRenderedSample({ html }, { data }).html, 'ownminemine')
    const set = '{% increment __proto__ %}{% assign __proto__ = data %}{% capture constructor %}x{% endcapture %}'
    assert.equal(requireRenderedSample({ html: `${set}{{ polluted }}` }, { data: { polluted: 1 } }).html, '01')
    assert.equal('polluted' in {}, false)
  })
})

describe('time to strip and parse HTML', () => {
  const pieces = ['<', '<!--', '<script', '<style', '<script>', '<script><!--<style>', '<style>a<', '</script', '< >']
  it('is limited in strip_html', () => {
    const html = '{{ data.text | strip_html | size }}'
    within(2 * PATIENCE_MS, () => {
      for (const piece of pieces) {
        const size = Number(requireRenderedSample({ html }, { data: { text: filledWith(piece, 1_900_000) } }).html)
        assert.ok(size <= 1_900_000, piece)
      }
    })
  })

  const contents: Record<string, string> = {
    ...Object.fromEntries(pieces.map((piece) => [piece, filledWith(piece, 900_000)])),
    'addresses in one element': `<a {% if x %}${filledWith('href=x ', 900_000)}{% endif %}>`,
    'helpers in one element': `<a href=x ${filledWith('linktype=a ', 900_000)}>`,
    'hidden elements, and ends of others': filledWith('<template>', 450_000) + filledWith('</title>', 450_000),
    'values in one attribute': `<a href="${filledWith('{{ x }}', 400_000)}">a</a>`,
    'terms in one condition': `{% if ${filledWith('a and ', 900_000)}a %}{% endif %}`,
  }
  for (const [name, html] of Object.entries(contents))
    it(`is limited in compiling ${name}`, () => {
      const { broken } = within(PATIENCE_MS, () => compileContent(sampleSource({ html, contentFormat: 2 })))
      assert.deepEqual(broken, [])
    })

  it('is limited for links that a loop leaves open', () => {
    const html = '{% for i in (1..40000) %}<a href="{{ data.x }}{% continue %}">x</a>{% endfor %}'
    within(PATIENCE_MS, () => renderSample({ html }, { data: { x: 'a' } }))
  })
})

describe('limits on templates that grow short texts', () => {
  const nested =
    '{% assign a = data.list %}{% for i in (1..40) %}{% assign b = a | push: a %}{% assign a = b %}{% endfor %}'
  const doubled = '{% assign a = data.rows %}{% for i in (1..14) %}{% assign a = a | concat: a %}{% endfor %}'
  const grown = (filter: string, times: number) => `{{ data.text ${`| ${filter} `.repeat(times)} | size }}`
  const templates: Record<string, string> = {
    'arrays in each other, printed': `${nested}{{ a }}`,
    'arrays in each other, joined': `${nested}{{ a | join }}`,
    'arrays in each other, as text': `${nested}{{ a | append: "x" }}`,
    'arrays in each other, compared': `${nested}{% assign c = a %}${nested}{% if a == c %}x{% endif %}`,
    'arrays in each other, sorted': `${nested}{% assign c = data.list | push: a | push: a %}{{ c | sort_natural }}`,
    'arrays in each other, as JSON': `${nested}{{ a | json }}`,
    'margins of JSON':
      '{% assign a = data.list %}{% for i in (1..400) %}{% assign a = data.none | push: a | push: a %}{% endfor %}{{ a | json: 10 }}',
    'groups in each other':
      '{% assign a = data.rows %}{% for i in (1..60) %}{% assign a = a | concat: a | group_by: "no" %}{% endfor %}{{ a | json }}',
    'groups in each other, printed':
      '{% assign a = data.rows %}{% for i in (1..60) %}{% assign a = a | concat: a | group_by: "no" %}{% endfor %}{{ a }}',
    'objects that hold long texts, joined': `${doubled}{{ a | join }}`,
    'objects that hold long texts, as text': `${doubled}{{ a | append: "x" }}`,
    'long values shared by many rows': `${doubled}{{ a | map: "text" }}`,
    captures:
      '{% assign a = "ab" %}{% for i in (1..40) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}',
    'captures that are kept':
      '{% for i in (1..3000) %}{% capture a %}{{ data.text }}{{ i }}{% endcapture %}{% assign all = all | push: a %}{% endfor %}',
    'a loop in a capture':
      '{% capture a %}{% for i in (1..3000) %}{{ data.text }}{% endfor %}{% endcapture %}{{ a | size }}',
    'rows in a capture':
      '{% capture a %}{% tablerow i in (1..199999) cols:1 %}{% endtablerow %}{% endcapture %}{{ a | size }}',
    appending: '{% assign a = data.text %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}',
    replacing: '{{ data.text | replace: "", data.text | size }}',
    'replacing what is there': '{{ data.text | replace: "x", data.text | size }}',
    'replacing again':
      '{% assign a = data.text %}{% for i in (1..99) %}{% assign a = a | replace_first: "x", a %}{% endfor %}',
    joining: '{{ data.many | join: data.text | size }}',
    splitting: '{{ data.text | append: data.text | append: data.text | split: "" | sort | size }}',
    'widths of dates': `{{ 0 | date: data.widths | size }}`,
    escaping: grown('replace: "x", "&" | escape', 9),
    'JSON of JSON': grown('json', 40).replace('data.text', 'data.quotes'),
    'line ends': grown('newline_to_br', 20).replace('data.text', 'data.lines'),
    'addresses of addresses': grown('append: "é" | url_encode', 300),
  }
  const data = {
    list: [1],
    none: [],
    rows: [{ text: LONG }],
    text: LONG,
    many: Array(1000).fill(1),
    widths: filledWith('%999d', 10_000),
    quotes: filledWith('"', 100_000),
    lines: filledWith('\n', 100_000),
  }
  for (const [name, html] of Object.entries(templates)) it(name, () => assertLimited(html, data))

  it('amounts in a hundred different currencies are formatted', () => {
    const loop = '{% for a in l %}{% for b in l %}{% assign c = a | append: b | append: "X" %}{{ 1 | money: c }}'
    const html = `{% assign l = "A,B,C,D,E,F,G,H,I,J" | split: "," %}${loop}{% endfor %}{% endfor %}`
    assert.match(requireRenderedSample({ html }).html, /AAX.*JJX/)
  })
})

describe('partial templates and filter scopes', () => {
  for (const tag of ['include', 'render', 'layout', 'block'])
    it(`${tag} is refused, even within other tags`, () => {
      const templates = [
        `{% ${tag} "x" %}`,
        `{% ${tag} data.constructor %}`,
        `{% liquid ${tag} "x" %}`,
        `{% if true %}{% ${tag} "x", constructor: data %}{% endif %}`,
      ]
      for (const html of templates)
        assert.equal(compileContent(sampleSource({ html })).errors[0]?.message, `tag "${tag}" not found`)
    })

  it("an element's scope in a filter has only its own names", () => {
    const html =
      '{{ data.list | where: "constructor" | size }}{{ data.list | has: "toString" }}{{ data.list | find_index: "__proto__" }}{{ data.list | where: "data.list" | size }}'
    assert.equal(requireRenderedSample({ html }, { data: { list: [{ a: 1 }, ['b'], 'c', 1, null] } }).html, '0false0')
  })
})

describe('limits on empty loops', () => {
  const loops: Record<string, string> = {
    'of a range': '{% for i in (1..1999999) %}{% endfor %}',
    'of ranges in each other': '{% for i in (1..1999) %}{% for j in (1..1999) %}{% endfor %}{% endfor %}',
    'of an array, three times':
      '{% assign a = (1..1000) %}{% for i in a %}{% for j in a %}{% for k in a %}{% endfor %}{% endfor %}{% endfor %}',
    'of rows': '{% tablerow i in (1..1999999) %}{% endtablerow %}',
    'that go on at once': '{% for i in (1..1999999) %}{% continue %}{% endfor %}',
    'around an empty condition': '{% for i in (1..1999999) %}{% if true %}{% endif %}{% endfor %}',
    'of a range without end': '{% for i in (1..data.far) %}{% endfor %}',
    'of a range as text': '{% for i in (data.one..data.billion) %}{% endfor %}',
    'of a range from far below': '{% for i in (data.below..0) %}{% endfor %}',
    'of a range in which one more is the same': '{{ (9007199254740992..9007199254740994) | size }}',
    'of such a range in the argument of a filter':
      '{{ data.list | where: "[(9007199254740992..9007199254740994)]" | size }}',
    'of such a range as values': '{% for i in (data.exact..data.next) %}{% endfor %}',
  }
  const data = {
    far: 1e308,
    one: '1',
    billion: '9999999999',
    below: -1e15,
    list: [{ a: 1 }],
    exact: 2 ** 53,
    next: 2 ** 53 + 2,
  }
  for (const [name, html] of Object.entries(loops)) it(name, () => assertLimited(html, data))
})
