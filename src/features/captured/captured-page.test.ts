import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CapturedMessageRecord } from '../../gateways/capture/files.ts'
import { renderCapturedList, renderCapturedMessage } from './captured-page.ts'

const about: CapturedMessageRecord = {
  id: '20260320T080000000Z-0000000003',
  channel: 'sms',
  message: 3,
  capturedAt: '2026-03-20T08:00:00.000Z',
  from: 'SHOP',
  to: '+33601020304',
  account: 1,
  sourceKind: 'action',
  source: 7,
  stamp: null,
  size: 9,
  encoding: 'ucs2',
  segments: 2,
}

describe('captured messages page', () => {
  it('shows an SMS as its escaped text with its segments and encoding', async () => {
    const page = await renderCapturedMessage({ ...about, bytes: Buffer.from('<b>ça & 🎉') })
    assert.match(page, /<pre>&lt;b&gt;ça &amp; 🎉<\/pre><p>2 segments in UCS-2<\/p>/)
    assert.match(page, /To \+33601020304/)
    assert.doesNotMatch(page, /iframe srcdoc|Source/)
  })

  it('lists mail and SMS with their channel', () => {
    const page = renderCapturedList([about, { ...about, id: 'M', channel: 'email', to: 'ann@example.com' }])
    assert.match(page, /<td>SMS<\/td><td><a href="[^"]+">\+33601020304/)
    assert.match(page, /<td>email<\/td><td><a href="[^"]+">ann@example\.com/)
  })
})
