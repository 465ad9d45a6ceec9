import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MarkedHtml, markLinks } from './html-links.ts'
import { templateTags } from './template-tags.ts'

function mark(html: string, body = false): MarkedHtml {
  return markLinks(html, templateTags(html), { part: 'html', forms: ['0000GH'], firstId: 1, body })
}

/** The marked text with readable markers: `[type number]` and `[address number]...[/]`. */
function readable(html: string, body = false): string {
  const { text, markers, places } = mark(html, body)
  const label = (index: number): string => {
    const place = places[index]
    if (place?.type === 'link') return `[${place.link.type} ${place.link.id}]`
    return place?.type === 'address' ? `[address ${place.link?.id ?? '-'}]` : `[${place?.type}]`
  }
  return places
    .reduce((result, _, index) => result.replaceAll(markers.at(index), label(index)), text)
    .replaceAll(markers.end, '[/]')
}

const unchanged = (html: string) => assert.equal(mark(html).text, html)

describe('links of HTML', () => {
  it('are marked in whatever quotes, case and spacing, everything else byte for byte', () => {
    assert.equal(
      readable(
        `<A\n HREF = 'https://a.example/'  class=x >1</A ><a href=https://b.example/?q=1>2</a><AREA href="http://c.example">`,
      ),
      `<A\n HREF = '[redirection 1]'  class=x >1</A ><a href="[redirection 2]">2</a><AREA href="[redirection 3]">`,
    )
  })

  it('keep their decoded target', () => {
    const { links } = mark(
      '<a href="https://a.example/?x=1&amp;y=&eacute;&#38;z&copy=2&lt=3">1</a><a href=" https://b.example/ ">2</a>',
    )
    assert.deepEqual(
      links.map(({ url }) => url),
      ['https://a.example/?x=1&y=é&z&copy=2&lt=3', 'https://b.example/'],
    )
  })

  it('are named by dataminingname, else by their text up to 80 characters, else by their number', () => {
    const long = 'word '.repeat(40)
    const { links } = mark(
      `<a href="http://a.example" dataminingname=" hero ">x</a><a href="http://a.example"> See\n <b>all&nbsp;of</b> {{ data.x }} it</a><a href="http://a.example"><img src="x.png"></a><a href="http://a.example">${long}</a>`,
    )
    assert.deepEqual(
      links.map(({ name }) => name),
      ['hero', 'See all of it', '3', 'word '.repeat(16).trim()],
    )
  })

  it('lose their helper attributes and nothing else', () => {
    assert.equal(
      readable(
        '<a href="http://a.example" dataminingname="n" tracking="Enabled">1</a><a tracking=disabled href="http://a.example" id=a>2</a>',
      ),
      '<a href="[redirection 1]">1</a><a href="http://a.example" id=a>2</a>',
    )
    assert.equal(readable('<a tracking="Disabled"href="http://a.example">1</a>'), '<a href="http://a.example">1</a>')
    assert.equal(readable('<a linktype tracking\tid="1">1</a>'), '<a\tid="1">1</a>')
    unchanged('<p tracking="x" linktype="y">text</p>')
  })

  it('of system and form type are distinguished, without case', () => {
    assert.equal(
      readable(
        '<a href="mirrorPAGE">1</a><a href="Unsubscribe" linktype="system">2</a><a href=0000gh linktype=FORM>3</a><a href="MirrorPage" tracking="Disabled">4</a>',
      ),
      '<a href="[mirror 1]">1</a><a href="[unsubscribe 2]">2</a><a href="[form 3]">3</a><a href="[mirror 4]">4</a>',
    )
    assert.equal(mark('<a href="0000gh" linktype="Form">x</a>').links[0]?.form, '0000GH')
  })

  it('to a form that is not there, and with a type that is none, say so at their place', () => {
    const { errors, findings } = mark(
      '<p>\n<a href="0000ZZ" linktype="Form">1</a><a href="http://a.example" linktype="Other">2</a><a linktype="System" href="http://a.example">3</a>',
    )
    assert.deepEqual(errors, [
      {
        type: 'unknown-reference',
        message: 'There is no form 0000ZZ.',
        part: 'html',
        position: { line: 2, column: 4 },
      },
    ])
    assert.deepEqual(
      findings.map(({ type, position }) => [type, position?.column]),
      [
        ['link-type', 42],
        ['link-type', 109],
      ],
    )
  })

  it('with an unsafe scheme are errors, however it is written', () => {
    for (const href of [
      'javascript:alert(1)',
      'JAVASCRIPT:x',
      ' data:text/html,x',
      'java&#10;script:x',
      'vb&Tab;script:x',
      '&#1;file:///etc',
    ])
      assert.deepEqual(
        mark(`<a href="${href}">x</a>`).errors.map(({ type }) => type),
        ['unsafe-link'],
      )
  })
})

describe('what is no link', () => {
  it('in comments, scripts, styles, titles and text areas is left as it is', () => {
    const link = '<a href="http://a.example" tracking="Disabled">x</a>'
    for (const html of [
      `<!-- ${link} -->`,
      `<!--[if mso]>${link}<![endif]-->`,
      `<script>var a = '${link}'</script>`,
      `<style>/* ${link} */</style>`,
      `<title>${link}</title><textarea>${link}</textarea>`,
      `<img alt='${link}'>`,
      `{% raw %}${link}{% endraw %}`,
      `{% comment %}${link}{% endcomment %}`,
      `a < b & c <3 </ x> <a`,
      '<a href="http://a.example',
    ])
      unchanged(html)
  })

  it('is not confused with what conditional comments show to all others', () => {
    assert.equal(
      readable(
        '<!--[if !mso]><!--><a href="http://a.example">1</a><!--<![endif]--><![if !mso]><a href="http://b.example">2</a><![endif]>',
      ),
      '<!--[if !mso]><!--><a href="[redirection 1]">1</a><!--<![endif]--><![if !mso]><a href="[redirection 2]">2</a><![endif]>',
    )
  })

  it('is left as it is in images with data, also very long ones', () => {
    unchanged(`<img src="data:image/png;base64,${'iVBORw0KGgo='.repeat(1000)}">`)
  })
})

describe('template tags in HTML', () => {
  it('may stand in an address, quotes and angle brackets included', () => {
    assert.equal(
      readable(
        `<a href="{{ data["u"] | append: '>' }}">1</a><a href='https://a.example/{{ data['x'] }}/'>2</a><a href={{ data.u }}>3</a>`,
      ),
      `<a href="[address 1]{{ data["u"] | append: '>' }}[/]">1</a><a href='[address 2]https://a.example/{{ data['x'] }}/[/]'>2</a><a href="[address 3]{{ data.u }}[/]">3</a>`,
    )
  })

  it('may choose between addresses, attributes and elements', () => {
    assert.equal(
      readable('<a {% if x > 1 %}href="http://a.example"{% else %}href="http://b.example"{% endif %} id="i">1</a>'),
      '<a {% if x > 1 %}href="[redirection 1]"{% else %}href="[redirection 2]"{% endif %} id="i">1</a>',
    )
    assert.equal(
      readable(
        '{% for p in data.list %}<a href="{{ p.url }}"{% if p.new %} class="new"{% endif %}>{{ p.name }}</a>{% endfor %}',
      ),
      '{% for p in data.list %}<a href="[address 1]{{ p.url }}[/]"{% if p.new %} class="new"{% endif %}>{{ p.name }}</a>{% endfor %}',
    )
    assert.equal(
      readable('<a {{ data.attributes }} href="http://a.example">1</a>'),
      '<a {{ data.attributes }} href="[redirection 1]">1</a>',
    )
  })

  it('leave only the first of two equal attributes a link when none stands between', () => {
    assert.equal(
      readable('<a href="http://a.example" href="http://b.example">1</a>'),
      '<a href="[redirection 1]" href="http://b.example">1</a>',
    )
  })

  it('that are nothing but a link of the service make one', () => {
    assert.equal(readable('<a href="{{ links.unsubscribe }}">1</a>'), '<a href="[unsubscribe 1]">1</a>')
  })

  it('keep an address that is not tracked watched, but without a number', () => {
    assert.equal(
      readable('<a href="{{ data.u }}" tracking="Disabled">1</a>'),
      '<a href="[address -]{{ data.u }}[/]">1</a>',
    )
  })
})

describe('places in the body', () => {
  it('are after its start tag and before its last end tag that is one', () => {
    assert.equal(
      readable('<body class="x"><!-- </body> --><p>1</body></p></body><!-- </body> -->', true),
      '<body class="x">[top]<!-- </body> --><p>1</body></p>[pixel]</body><!-- </body> -->',
    )
  })

  it('are at the end when there is no body', () => {
    assert.equal(readable('<p>1</p>', true), '<p>1</p>[top][pixel]')
  })
})
