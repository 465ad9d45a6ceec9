import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type SampleContent, sampleSource } from '../rendering/samples.ts'
import { findContentLinks } from './written-links.ts'

const source = (content: SampleContent) => sampleSource({ contentFormat: 2, subject: 'https://x.example/', ...content })

const found = (content: SampleContent) =>
  findContentLinks(source(content)).map(({ address, isFixed, part, position }) => [part, address, isFixed, position()])

suite('written links', () => {
  test('finds decoded links in HTML, tracked or not, and ignores comments and other schemes', () => {
    const html = `<p><A HREF='https://a.example/?x=1&amp;y=2' tracking=Disabled>a</A>
<!-- <a href="https://not.example/">-->
  <map><area href=http://b.example></map><a href="mailto:c@c.example">c</a><a href="Unsubscribe">d</a><a name="e">e</a>`
    assert.deepEqual(found({ html }), [
      ['html', 'https://a.example/?x=1&y=2', true, { line: 1, column: 7 }],
      ['html', 'http://b.example', true, { line: 3, column: 14 }],
    ])
  })

  test('finds links that only Outlook shows', () => {
    const html =
      '<!--[if mso]><v:rect href="http://a.example/"><a href="http://b.example/"></a></v:rect><![endif]--><v:rect href="http://c.example/">'
    assert.deepEqual(
      found({ html }).map(([, address, , position]) => [address, position]),
      [
        ['http://a.example/', { line: 1, column: 22 }],
        ['http://b.example/', { line: 1, column: 50 }],
        ['http://c.example/', { line: 1, column: 108 }],
      ],
    )
  })

  test('marks links with template tags as not fixed and shows them as written', () => {
    const html = '<a href="https://{{ data.host }}/a">a</a><a href="{{ data.whole }}">b</a>'
    assert.deepEqual(found({ html }), [['html', 'https://x/a', false, { line: 1, column: 4 }]])
    assert.equal(findContentLinks(source({ html }))[0]?.written, 'https://{{ data.host }}/a')
  })

  test('ends links in text at the sentence and finds them in printing tags but not in comments', () => {
    const text = `See https://a.example/x_y, (http://b.example/).
{% comment %}https://not.example/{% endcomment %}{{ "https://c.example/" | tracked: "c" }} https://d.example/{{ data.d }}.`
    assert.deepEqual(found({ text }), [
      ['text', 'https://a.example/x_y', true, { line: 1, column: 5 }],
      ['text', 'http://b.example/', true, { line: 1, column: 29 }],
      ['text', 'https://c.example/', true, { line: 2, column: 54 }],
      ['text', 'https://d.example/x', false, { line: 2, column: 92 }],
    ])
  })

  test('finds only links of the parts that are sent', () => {
    const html = '<a href="https://html.example/">a</a>'
    const amp = '<a href="https://amp.example/">a</a>'
    const content = { html, amp, text: 'https://text.example/', textContent: 'https://sms.example/' }
    const parts = (more: SampleContent) => found({ ...content, ...more }).map(([part]) => part)
    assert.deepEqual(parts({ contentFormat: 1 }), ['html', 'amp'])
    assert.deepEqual(parts({ contentFormat: 2 }), ['html', 'amp', 'text'])
    assert.deepEqual(parts({ contentFormat: 3 }), ['text'])
    assert.deepEqual(parts({ channel: 'sms' }), ['textContent'])
  })

  test('finds links in a template that cannot be parsed', () => {
    assert.deepEqual(found({ html: '{% if %<a href="https://a.example/">a</a>' }).length, 1)
  })
})
