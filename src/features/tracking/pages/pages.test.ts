import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  maskRecipientAddress,
  renderMirrorPage,
  renderStatusPage,
  renderTextMirrorPage,
  renderUnsubscribedPage,
  renderUnsubscribeForm,
} from './pages.ts'

const hostile = '<script>alert(1)</script>" \'&'

function allPages(language: 'en' | 'fr') {
  const unsubscriber = { language, account: hostile, maskedAddress: maskRecipientAddress('a"nn<b>@shop.example') }
  const statusPages = [
    'notFound',
    'tooMany',
    'gone',
    'formGone',
    'unavailable',
    'preview',
    'unclear',
    'copy',
    'copyForm',
  ] as const
  return [
    renderUnsubscribeForm(unsubscriber),
    renderUnsubscribeForm({ ...unsubscriber, maskedAddress: null }),
    renderUnsubscribedPage(unsubscriber),
    renderTextMirrorPage({
      language,
      account: hostile,
      subject: hostile,
      text: `${hostile} https://shop.example/?a=1&b=2.`,
    }),
    ...statusPages.map((name) => renderStatusPage(name, language)),
    ...statusPages.map((name) => renderStatusPage(name, language, hostile)),
  ]
}

describe('tracking pages', () => {
  for (const language of ['en', 'fr'] as const) {
    for (const [n, { html, policy }] of allPages(language).entries()) {
      test(`page ${n} in ${language} has one heading and its language, no script or outside resource, and at most 10 KB`, () => {
        assert.equal(html.match(/<h1>/g)?.length, 1)
        assert.match(html, new RegExp(`^<!doctype html>\n<html lang="${language}">`))
        assert.doesNotMatch(html, /<script|<link|<img|src=|@import|url\(/i)
        assert.doesNotMatch(html, / on\w+=/i)
        assert.ok(Buffer.byteLength(html) <= 10_240, `${Buffer.byteLength(html)} bytes`)
        const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
        const hash = createHash('sha256').update(style).digest('base64')
        assert.equal(
          policy,
          `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        )
      })
    }
  }
})

test('the confirmation page has one button, which posts to the page itself', () => {
  const { html } = renderUnsubscribeForm({ language: 'en', account: 'ACME', maskedAddress: 'a***@shop.example' })
  assert.equal(html.match(/<button/g)?.length, 1)
  assert.match(html, /<form method="post">\n<button name="confirm" value="1">/)
  assert.match(html, /Stop receiving messages from <strong>ACME<\/strong> at <strong>a\*\*\*@shop\.example<\/strong>\?/)
  assert.match(html, /<title>Unsubscribe – ACME<\/title>/)
})

test('web addresses in a text become links without their closing punctuation', () => {
  const { html } = renderTextMirrorPage({
    language: 'en',
    account: 'ACME',
    subject: 'Hi',
    text: 'See https://shop.example/a?b=1&c=2. (https://shop.example/d)',
  })
  assert.match(
    html,
    /See <a href="https:\/\/shop\.example\/a\?b=1&amp;c=2">https:\/\/shop\.example\/a\?b=1&amp;c=2<\/a>\. \(/,
  )
  assert.match(html, /\(<a href="https:\/\/shop\.example\/d">/)
})

test('an address is masked except for its first character and its domain', () => {
  const cases = [
    ['ann@shop.example', 'a***@shop.example'],
    ['"a@b"@shop.example', '"***@shop.example'],
    ['😀x@shop.example', '😀***@shop.example'],
    ['+33601020304', '***04'],
  ] as const
  for (const [address, masked] of cases) assert.equal(maskRecipientAddress(address), masked)
})

test('a mirror page may load images and styles but run no scripts', () => {
  const { policy } = renderMirrorPage('<p>hi</p>')
  assert.match(policy, /^default-src 'none';/)
  assert.match(policy, /; sandbox allow-popups allow-popups-to-escape-sandbox$/)
  assert.doesNotMatch(policy, /script/)
})
