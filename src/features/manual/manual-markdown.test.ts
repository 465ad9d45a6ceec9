import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderManualArticle } from './manual-markdown.ts'

const render = (text: string) =>
  renderManualArticle(text, (href) => (/^(?:https:|#|known)/.test(href) ? href : undefined))

suite('documents as HTML', () => {
  test('leave out comments and show other HTML as text', () => {
    assert.equal(render('<!-- settings -->\n').html, '')
    for (const text of [
      '<script>alert(1)</script>',
      'A <b onclick="x()">word</b>',
      '<pre>a < b</pre>',
      '<div>\n<p>x\n',
    ])
      assert.doesNotMatch(render(text).html, /<(?:script|b|pre|div)\b/, text)
    assert.match(render('A <b>word</b>').html, /A &lt;b&gt;word&lt;\/b&gt;/)
  })

  test('show links that lead nowhere as text', () => {
    assert.equal(
      render('[code](../src/app.ts) and [x](javascript:alert(1))').html,
      '<p><span title="../src/app.ts">code</span> and <span title="javascript:alert(1)">x</span></p>\n',
    )
    assert.equal(render('[a](known.md)').html, '<p><a href="known.md">a</a></p>\n')
    assert.equal(render('![A picture](unknown.png)').html, '<p>A picture</p>\n')
  })

  test('have headings with anchors, numbered when they repeat', () => {
    const { title, headings } = render(
      '# The `keys` command\n\n## Drop places\n\n## Drop places\n\n### Été, _now_: 1.5',
    )
    assert.equal(title, 'The keys command')
    assert.deepEqual(headings, [
      { id: 'the-keys-command', depth: 1, text: 'The keys command' },
      { id: 'drop-places', depth: 2, text: 'Drop places' },
      { id: 'drop-places-1', depth: 2, text: 'Drop places' },
      { id: 'été-_now_-15', depth: 3, text: 'Été, now: 1.5' },
    ])
  })

  test('mark comments in shell commands', () => {
    const { html } = render('```sh start\nKEY=1 # "mine"\n# all\n```\n')
    assert.match(
      html,
      /<div class="code" data-language="sh"><pre><code>KEY=1<span class="comment"> # &#34;mine&#34;<\/span>/,
    )
    assert.match(html, /\n<span class="comment"># all<\/span><\/code>/)
    assert.doesNotMatch(render('```json\n{"a": " # b"}\n```\n').html, /comment/)
  })
})
