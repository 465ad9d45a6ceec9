import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scanTemplateTags } from '../templates/template-tags.ts'
import { type MarkedHtml, markHtmlLinks } from './html-links.ts'

function mark(html: string, body = false): MarkedHtml {
  return markHtmlLinks(html, scanTemplateTags(html), { part: 'html', forms: ['0000GH'], firstId: 1, body })
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
  it('are marked whatever their quotes, case and spacing, and the rest is unchanged', () => {
    assert.equal(
      readable(
        `<A\n HREF = 'https://a.example/'  class=x >1</A ><a href=https://b.example/?q=1>2</a><AREA href="http://c.example">`,
      ),
      `<A\n HREF = '[redirection 1]'  class=x >1</A ><a href="[redirection 2]">2</a><AREA href="[redirection 3]">`,
    )
  })

  it('retain their decoded target', () => {
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

  it('of system and form type are recognised in any case', () => {
    assert.equal(
      readable(
        '<a href="mirrorPAGE">1</a><a href="Unsubscribe" linktype="system">2</a><a href=0000gh linktype=FORM>3</a><a href="MirrorPage" tracking="Disabled">4</a>',
      ),
      '<a href="[mirror 1]">1</a><a href="[unsubscribe 2]">2</a><a href="[form 3]">3</a><a href="[mirror 4]">4</a>',
    )
    assert.equal(mark('<a href="0000gh" linktype="Form">x</a>').links[0]?.form, '0000GH')
  })

  it('to an unknown form or with an unknown type are reported at their position', () => {
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

  it('with an unsafe scheme are errors, however they are written', () => {
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

describe('HTML that is not a link', () => {
  it('is unchanged in comments, scripts, styles, titles and text areas', () => {
    const link = '<a href="http://a.example" tracking="Disabled">x</a>'
    for (const html of [
      `<!-- ${link} -->`,
      `<!-- [if mso]>${link}<![endif] -->`,
      `<!--[iffy]>${link}<![endif]-->`,
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

  it('does not include what conditional comments show to other clients', () => {
    assert.equal(
      readable(
        '<!--[if !mso]><!--><a href="http://a.example">1</a><!--<![endif]--><![if !mso]><a href="http://b.example">2</a><![endif]>',
      ),
      '<!--[if !mso]><!--><a href="[redirection 1]">1</a><!--<![endif]--><![if !mso]><a href="[redirection 2]">2</a><![endif]>',
    )
  })

  it('is unchanged in data images, even very long ones', () => {
    unchanged(`<img src="data:image/png;base64,${'iVBORw0KGgo='.repeat(1000)}">`)
  })
})

describe('template tags in HTML', () => {
  it('may be part of an address, with quotes and angle brackets', () => {
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

  it('make only the first of two equal attributes a link when none is between them', () => {
    assert.equal(
      readable('<a href="http://a.example" href="http://b.example">1</a>'),
      '<a href="[redirection 1]" href="http://b.example">1</a>',
    )
  })

  it('that are only a service link become that link', () => {
    assert.equal(readable('<a href="{{ links.unsubscribe }}">1</a>'), '<a href="[unsubscribe 1]">1</a>')
  })

  it('keep an untracked address checked but unnumbered', () => {
    assert.equal(
      readable('<a href="{{ data.u }}" tracking="Disabled">1</a>'),
      '<a href="[address -]{{ data.u }}[/]">1</a>',
    )
  })
})

describe('positions in the body', () => {
  it('are after the start tag and before the last real end tag', () => {
    assert.equal(
      readable('<body class="x"><!-- </body> --><p>1</body></p></body><!-- </body> -->', true),
      '<body class="x">[top]<!-- </body> --><p>1</body></p>[pixel]</body><!-- </body> -->',
    )
  })

  it('are at the end when there is no body', () => {
    assert.equal(readable('<p>1</p>', true), '<p>1</p>[top][pixel]')
  })
})
