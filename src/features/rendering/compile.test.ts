import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileContent } from './compile.ts'
import { type SampleContent, sampleSource } from './samples.ts'

const compile = (content: SampleContent) => compileContent(sampleSource(content))
const errorsOf = (content: SampleContent) =>
  compile(content).errors.map(({ type, part, position }) => `${type} ${part} ${position?.line}:${position?.column}`)

describe('compile errors of a content', () => {
  it('report the part, line and column of every error at once', () => {
    assert.deepEqual(
      errorsOf({ subject: '{{ contact.Nofield }}', html: 'a\n {% include "x" %}\n{{ x | nofilter }}' }),
      ['unknown-tag html 2:2', 'unknown-filter html 3:1', 'unknown-field subject 1:4'],
    )
  })

  it('have their position in the source, even after links', () => {
    const html =
      '<a href="https://a.example/" tracking="Enabled" dataminingname="x">1</a>\n<a href=MirrorPage>2</a> {{ contact.No }}<a href="{{ contact.Nope }}">'
    assert.deepEqual(errorsOf({ html }), ['unknown-field html 2:29', 'unknown-field html 2:54'])
  })

  const faults: [string, string][] = [
    ['{% if x %}', 'syntax'],
    ['{% endif %}', 'syntax'],
    ['{{ x', 'syntax'],
    ['{{ x | append }} {% assign = 1 %}', 'syntax'],
    ['{% render "x" %}', 'unknown-tag'],
    ['{% layout "x" %}', 'unknown-tag'],
    ['{% block x %}{% endblock %}', 'unknown-tag'],
    ['{{ x | inspect }}', 'unknown-filter'],
    ['{{ x | where_exp: "i", "true" }}', 'unknown-filter'],
    ['{{ x | sha256 }}', 'unknown-filter'],
    ['{{ x | hmac_sha256: "k" }}', 'unknown-filter'],
    ['{{ x | sample }}', 'unknown-filter'],
    ['{{ related.Nofield }}', 'unknown-field'],
    ['{{ contact.fields["99"] }}', 'unknown-field'],
    ['{{ action.state }}', 'unknown-field'],
    ['{{ stamp.phone }}', 'unknown-field'],
    ['{{ links.other }}', 'unknown-field'],
    ['{{ links.form["0000ZZ"] }}', 'unknown-reference'],
    ['{{ "ftp://x" | tracked: "x" }}', 'unsafe-link'],
    ['{{ "x'.repeat(100_000), 'syntax'],
    ['{% if a %}'.repeat(20_000), 'limit'],
    ['x'.repeat(1_000_001), 'limit'],
  ]
  for (const [html, type] of faults)
    it(`include ${type} for ${html.slice(0, 40)}`, () => assert.deepEqual(compile({ html }).errors[0]?.type, type))

  it('do not include fields by name or id, members, locals or values that a send may add', () => {
    const html = `{{ contact.Firstname }}{{ contact["First name"].size }}{{ contact.fields["42"] }}{{ contact.fields.Tags.first }}
      {{ contact.hash }}{{ data.any.thing }}{{ Any }}{{ variables.x }}{{ campaign.name }}{{ event.type }}{{ links.form["0000GH"] }}
      {% for link in links.form %}{{ link.x }}{% endfor %}{% assign action = data %}{{ action.x }}{{ contact[data.x] }}{{ contact.size }}`
    assert.deepEqual(compile({ html }).errors, [])
  })
})

describe('compile findings of a content', () => {
  it('report contact values that are printed raw', () => {
    const html = '{{ contact.Firstname | upcase | raw }}{{ Firstname | raw }}{{ data.html | raw }}'
    assert.deepEqual(
      compile({ html }).findings.map(({ type, position }) => [type, position?.column]),
      [
        ['raw-value', 33],
        ['raw-value', 54],
      ],
    )
    assert.deepEqual(compile({ contentFormat: 3, text: html }).findings, [])
  })

  it('report links that work only on a web page, at their position', () => {
    const findingsOf = (href: string) =>
      compile({ html: `<p>\n<a id="x" href="${href}">x</a>` }).findings.map(({ type, position }) => [type, position])
    for (const href of [
      'www.shop.example',
      '//shop.example/a',
      'https:shop.example',
      'http:/shop.example',
      'https:\\\\shop.example',
      'shop.example/a',
      'shop.example:8080/a',
      ' ../a',
      '/a?x=1',
      'sale.html',
      'Unsubscribe.html',
      'www.shop.example/{{ data.x }}',
      '//{{ data.host }}/a',
    ])
      assert.deepEqual(findingsOf(href), [['link-relative', { line: 2, column: 11 }]], href)
    for (const href of [
      'https://shop.example',
      'HTTP://shop.example',
      'mailto:ann@shop.example',
      'mailto:{{ data.x }}.y',
      'tel:+331234',
      'sms:+331234:5',
      'shop-app://a.b/c',
      '#top',
      '',
      'Unsubscribe',
      'MirrorPage',
      '{{ data.url }}/a',
      '{{ links.mirror }}',
      'https:{{ data.rest }}',
    ])
      assert.deepEqual(findingsOf(href), [], href)
    const outlook = '<!--[if mso]><v:rect href="www.shop.example"></v:rect><![endif]-->'
    assert.deepEqual(
      compile({
        html: outlook,
        amp: '<a href="www.shop.example" tracking="Disabled">x</a>',
        contentFormat: 2,
      }).findings.map(({ type, part, message }) => [type, part, message]),
      ['html', 'amp'].map((part) => [
        'link-relative',
        part,
        'The link "www.shop.example" does not work in a message. Start it with https://.',
      ]),
    )
    assert.deepEqual(findingsOf('0000GH" linktype="Form'), [])
  })

  it('report pictures that a recipient does not see for want of a scheme, wherever they are shown, at their position', () => {
    const relativePictures = (html: string) =>
      compile({ html }).findings.map(({ type, message, position }) => {
        assert.equal(type, 'link-relative')
        return `${position?.line}:${position?.column} ${message.split('"')[1]}`
      })
    for (const address of [
      '/a.png',
      'a.png',
      '//cdn.example/a.png',
      'www.shop.example/a.png',
      'https:cdn.example/a.png',
    ])
      assert.deepEqual(relativePictures(`<p>\n<img alt="" src="${address}">`), [`2:13 ${address}`])
    const places: [html: string, at: string][] = [
      ['<td background=" a.png ">x</td>', '1:5 a.png'],
      ['<td style="color: red; background:url( \'a.png\' )">x</td>', '1:5 a.png'],
      ['<td style="background-image: url(&quot;a.png&quot;), url(https://a.example/a.png)">x</td>', '1:5 a.png'],
      ['<style>\n.a { color: red; background: #fff url(/a.png) } </style>', '2:18 /a.png'],
      ['<img src="https://a.example/1.png" srcset="https://a.example/1.png 1x, /2.png 2x">', '1:36 /2.png'],
      ['<picture><source srcset="a.png 100w,b.png 2x"></picture>', '1:18 a.png'],
      ['<img srcset="https://a.example/a,b.png, c.png">', '1:6 c.png'],
      ['<img srcset="https://a.example/a.png 1x,c.png 2x">', '1:6 c.png'],
      ['<!--[if mso]><v:fill type="frame" src="a.png" /><![endif]-->', '1:35 a.png'],
      ['<input type="image" src="/a.png">', '1:21 /a.png'],
      ['<img src="/a/{{ data.x }}.png">', '1:6 /a/....png'],
    ]
    for (const [html, at] of places) assert.deepEqual(relativePictures(html), [at], html)
    for (const html of [
      ...['https://a.example/a.png', 'cid:a', 'data:image/png;base64,AA==', '', '{{ data.picture }}', '*|IMAGE|*'].map(
        (address) => `<img src="${address}">`,
      ),
      '<td style="background: url(https://a.example/a.png)">url(a.png)</td>',
      '<img src="https://a.example/a.png" srcset="https://a.example/a.png, https://a.example/b.png 2x">',
      '<style>@import url(a.css); @font-face { src: url(a.woff) }</style>',
      '<!-- <img src="a.png"> -->',
    ])
      assert.deepEqual(
        compile({ html }).findings.filter(({ type }) => type === 'link-relative'),
        [],
        html,
      )
  })

  it('report tags of other services that would be sent as they are, in every part, at their position', () => {
    const findingsOf = (content: SampleContent) =>
      compile(content).findings.map(({ type, part, message, position }) => {
        assert.equal(type, 'merge-tag')
        return `${part} ${position?.line}:${position?.column} ${message.split('"')[1]}`
      })
    for (const tag of [
      '*|UNSUB|*',
      '*|MC:SUBJECT|*',
      '%%unsub_center_url%%',
      '%%=v(@name)=%%',
      '[[firstname]]',
      '[unsubscribe]',
      '[UNSUBSCRIBEURL]',
      '{unsubscribe}',
      '{$unsubscribe}',
      `\${first.name}`,
      '%UNSUBSCRIBELINK%',
      '##unsubscribe##',
    ]) {
      assert.deepEqual(findingsOf({ html: `<p>\n{{ data.x }} ${tag}</p>` }), [`html 2:14 ${tag}`])
      assert.deepEqual(
        findingsOf({ html: `<a href="${tag}">x</a>` }),
        [`html 1:4 ${tag}`].map((one) => one.replace('1:4', '1:10')),
      )
      assert.deepEqual(findingsOf({ html: `<!--[if mso]>${tag}<![endif]-->` }), [`html 1:14 ${tag}`])
      const content = { subject: `Hi ${tag}`, html: '', text: `\n ${tag}`, contentFormat: 2 }
      assert.deepEqual(findingsOf(content).toSorted(), [`subject 1:4 ${tag}`, `text 2:2 ${tag}`])
      assert.deepEqual(findingsOf({ channel: 'sms', textContent: tag }), [`textContent 1:1 ${tag}`])
    }
    assert.deepEqual(findingsOf({ html: '<p><% unsubscribe %></p> <unsubscribe>x</unsubscribe>' }), [
      'html 1:4 <% unsubscribe %>',
      'html 1:26 <unsubscribe>',
    ])
  })

  it('report no tags of other services if there are none', () => {
    const html = `<style>a[x]{b:c} *|x|*</style><!-- *|UNSUB|* --><script>[[a]]</script><a href="Unsubscribe">[unsubscribe]</a>
      <a href="https://shop.example/?a=%C3%A9%25%25b%25%25">100%% of 50%%, a * b | c | * d, [1], [note], [[1, 2]] {x} a < b % c > d</a>
      {{ "*|X|*" }}{% raw %}*|X|*{% endraw %}\${{ data.price }}`
    assert.deepEqual(compile({ html }).findings, [])
    assert.deepEqual(
      compile({ html: '', text: '[Unsubscribe] {{ links.unsubscribe }}', contentFormat: 2 }).findings,
      [],
    )
  })

  it('report size, images without text and a missing unsubscribe link only when an analysis is requested', () => {
    const html = `<p>${'x'.repeat(103_000)}</p>\n<img src="cid:a"><img src="cid:b" alt="">`
    assert.deepEqual(compile({ html }).findings, [])
    assert.deepEqual(
      compile({ html, analyse: true }).findings.map(({ type, position }) => [type, position?.line]),
      [
        ['size', undefined],
        ['image-text', 2],
        ['no-unsubscribe-link', undefined],
      ],
    )
    assert.deepEqual(compile({ html: '<a href="Unsubscribe">x</a>', analyse: true }).findings, [])
  })
})

describe('link table of a content', () => {
  it('numbers links of html, then amp, then tracked ones in text, then forms by name', () => {
    const { links } = compile({
      contentFormat: 2,
      html: '{{ "https://t1.example" | tracked }}<a href="https://a.example/">A</a><a href="{{ data.u }}">B</a>',
      amp: '<a href="https://c.example/">C</a>',
      text: '{{ "https://t2.example" | tracked: "T2" }} {{ data.x | tracked: "T3" }} {{ links.form["0000GH"] }}',
    })
    assert.deepEqual(links, [
      { id: 1, name: 'A', type: 'redirection', url: 'https://a.example/' },
      { id: 2, name: 'B', type: 'redirection', url: null },
      { id: 3, name: 'C', type: 'redirection', url: 'https://c.example/' },
      { id: 4, name: '4', type: 'redirection', url: 'https://t1.example' },
      { id: 5, name: 'T2', type: 'redirection', url: 'https://t2.example' },
      { id: 6, name: 'T3', type: 'redirection', url: null },
      { id: 7, name: '0000GH', type: 'form', url: null, form: '0000GH' },
    ])
  })

  it('is the same each time a content is compiled', () => {
    const source = sampleSource({ html: '<a href="https://a.example/">A</a>{{ "https://b.example" | tracked: "B" }}' })
    assert.deepEqual(compileContent(source).links, compileContent(source).links)
  })
})

describe('values that a content needs', () => {
  const needs = (html: string) => {
    const { contact, related } = compile({ html }).needs
    return { contact: contact.fields.map(({ id }) => id), related: related.fields.map(({ id }) => id) }
  }

  it('include links and the current time only when they are or may be named', () => {
    const asked = (html: string): boolean[] => {
      const { links, now } = compile({ html }).needs
      return [links, now]
    }
    assert.deepEqual(asked('{{ contact.Firstname }}{{ "now" | date }}'), [false, false])
    assert.deepEqual(asked('{% if links.mirror %}a{% endif %}'), [true, false])
    assert.deepEqual(asked('{{ x | append: now }}'), [false, true])
    assert.deepEqual(asked('{{ [data.name] }}'), [true, true])
  })

  it('include the fields that paths name, even without a prefix', () => {
    assert.deepEqual(needs('{{ contact.Firstname }}{{ contact.id }}{{ data.Tags }}'), { contact: [42], related: [] })
    assert.deepEqual(needs('{{ Tags }}{{ related.fields["43"] }}'), { contact: [44], related: [43] })
    assert.deepEqual(needs('{% if a %}{% for t in contact.Tags %}{% endfor %}{% endif %}'), {
      contact: [44],
      related: [],
    })
  })

  it('include all fields when a value selects the field', () => {
    for (const html of [
      '{{ contact[data.name] }}',
      '{{ contact | json }}',
      '{% assign c = contact %}{{ c.Tags }}',
      '{{ [data.name] }}',
    ])
      assert.deepEqual(needs(html), { contact: [42, 43, 44], related: [] })
  })
})
