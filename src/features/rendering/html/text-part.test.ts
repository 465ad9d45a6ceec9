import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { requireRenderedSample } from '../samples.ts'
import { scanTemplateTags } from '../templates/template-tags.ts'
import { deriveTextPart } from './text-part.ts'

const derive = (html: string) => deriveTextPart(html, scanTemplateTags(html))

describe('text derived from HTML', () => {
  it('shows blocks as lines, lists with dashes, links with their address and images by their text', () => {
    assert.equal(
      derive(`<html><head><title>T</title><style>p { color: red }</style></head><body>
        <h1>Big &amp; new</h1><p>One <b>bold</b>
        word&nbsp;here.<br>Next line</p><ul><li>first</li><li><a href="https://a.example/?x=1&amp;y=2">second</a></li></ul>
        <img src="x.png" alt="A red bag"><script>no()</script><div>a</div><div>b</div>
        <table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table></body></html>`),
      'Big & new\n\nOne bold word here.\nNext line\n\n- first\n- second [https://a.example/?x=1&y=2]\n\nA red bag\na\nb\n\n1 2\n3\n',
    )
  })

  it('keeps the lines and spaces of preformatted text, and its template tags', () => {
    assert.equal(
      derive(
        '<p>Your  order:</p><pre>\n  1 &lt;bag&gt;   19.90\r\n  2 <b>hats</b>  {{ data.price }}\n\n{% if data.x %}  total\n{% endif %}a<br>b\n</pre>\n<p>See\nyou</p>',
      ),
      'Your order:\n\n  1 <bag>   19.90\n  2 hats  {{ data.price }}\n\n{% if data.x %}  total\n{% endif %}a\nb\n\nSee you\n',
    )
    assert.equal(
      derive('<pre>&#123;&#123; x</pre></pre> a\nb <pre>\n\nc</pre>'),
      '{{ "{" }}{{ "{" }} x\n\na b\n\n\nc\n',
    )
    const html = '<pre>Dear {{ contact.Firstname }},\n\n  two\n  lines</pre>'
    assert.equal(requireRenderedSample({ contentFormat: 2, html }).text, 'Dear Ann,\n\n  two\n  lines\n')
  })

  it('keeps template tags in links, in attributes and around them', () => {
    assert.equal(
      derive(
        '<p>Hi {{ contact["First name"] }}</p>{% for p in data.list %}<p><a href="{{ p["url"] }}?a=1&amp;b={{ p.b }}">{{ p.name }}</a></p>{% endfor %}',
      ),
      'Hi {{ contact["First name"] }}\n\n{% for p in data.list %}{{ p.name }} [{{ p["url"] }}?a=1&b={{ p.b }}]\n\n{% endfor %}\n',
    )
  })

  it('keeps control tags everywhere and drops printing tags where nothing is shown', () => {
    assert.equal(
      derive(
        '<!-- {% if data.x %} --><p class="{% if a %}b{% endif %} {{ c }} {% cycle "1", "2" %}">T</p><!-- {% endif %} {{ secret }} -->',
      ),
      '{% if data.x %}{% if a %}{% endif %}T\n\n{% endif %}\n',
    )
  })

  it('writes service links by name and drops links without a target', () => {
    assert.equal(
      derive(
        '<a href="MirrorPage">Online</a> <a href="unsubscribe">Bye</a> <a href="0000gh" linktype="Form">Form</a> <a href="#top">Top</a> <a name="x">Here</a>',
      ),
      'Online [{{ links.mirror }}] Bye [{{ links.unsubscribe }}] Form [{{ links.form["0000GH"] }}] Top Here\n',
    )
  })

  it('does not turn text that resembles a template into one', () => {
    assert.equal(
      requireRenderedSample({ contentFormat: 2, html: '<p>&#123;&#123; x }} &#123;% y %}</p>' }).text,
      '{{ x }} {% y %}\n',
    )
  })

  it('becomes the text part of a content without one, with blank lines closed up', () => {
    const html = '<p>Hi {{ contact.Firstname }}</p>{% if data.no %}<p>no</p>{% endif %}<p>Bye</p>'
    const message = requireRenderedSample({ contentFormat: 2, html })
    assert.equal(message.text, 'Hi Ann\n\nBye\n')
    assert.equal(requireRenderedSample({ contentFormat: 1, html }).text, '')
    assert.equal(requireRenderedSample({ contentFormat: 2, html, text: 'own' }).text, 'own')
  })
})
