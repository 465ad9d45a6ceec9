import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { compileContent } from '../../features/rendering/compile.ts'
import { renderMessage, renderMessagePieces } from '../../features/rendering/render.ts'
import { sampleInput, sampleStamp, sampleTokenKeys } from '../../features/rendering/samples.ts'
import { channelTraits } from '../channel-traits.ts'
import { type ContentVersionSource, toChannelContentSource } from '../version-source.ts'
import { rcsChannel } from './channel.ts'
import { buildSampleRcsSource, sampleRcsSettings } from './content/samples.ts'
import { resolveRcsSender } from './sender.ts'
import { rcsChannelTraits } from './traits.ts'

/** The channel as it is among the others. */
const registered = { ...channelTraits, [rcsChannelTraits.name]: rcsChannelTraits }

const sending = {
  profiles: [{ id: 2, channel: 'sms', default: true, sender: null, trackingHost: 't.orchard.example' }],
  stopOnStandard: false,
  stopMention: 'STOP 36000',
} as never
const names = { named: 'ACME001', publicUrl: 'https://public.example' }
const profile = { id: 3, agent: 'orchard_fr_k2', fallback: { sender: 'ORCHARD' } }
const fallback = { type: 'sms' as const, text: 'Pears' }
const marketing = { type: 'marketing' as const }

function versionOf(text: string): ContentVersionSource {
  const { rcs: own, sms } = buildSampleRcsSource({ type: 'text', text })
  return {
    channel: rcsChannelTraits.name as never,
    action: { id: 41, name: 'Pear week', type: rcsChannelTraits.actions.campaign },
    account: { agency: 'ACME', customer: '001', name: 'ACME' },
    settings: sampleRcsSettings,
    content: registered.rcs.frozen({ content: { type: 'text', text }, fallback }),
    fields: [],
    forms: [],
    test: null,
    rcs: own,
    ...(sms && { sms }),
    sender: {
      from: { prefix: '', domain: '', label: null },
      reply: null,
      bounceDomain: '',
      trackingUrl: names.publicUrl,
    },
  }
}

suite('RCS channel', () => {
  test('makes a gateway message from a version', () => {
    const source = versionOf('Bonjour {{ data.name }}')
    const compiled = compileContent(toChannelContentSource(registered.rcs, source))
    const rendered = renderMessagePieces(compiled, sampleInput({ data: { name: 'Ada' } }))
    assert.ok(rendered.outcome === 'rendered')
    const message = {
      account: 1,
      sourceKind: 'rcs',
      source: 41,
      stamp: { id: sampleStamp },
      expiresAt: new Date(60_000),
    }
    const input = { id: 5, message, rendered, address: '+33639980012', endsAt: null } as never
    const outgoing = rcsChannel.composer(source)(input, { tokens: sampleTokenKeys, now: 0 })
    assert.ok('contentMessage' in outgoing)
    assert.deepEqual([outgoing.contentMessage, outgoing.ttlSeconds], ['{"text":"Bonjour Ada"}', 60])
  })

  test("checks numbers by the version's country and judges every refusal of a number soft", () => {
    const source = versionOf('x')
    const french = { ...source, rcs: { ...source.rcs!, country: 'FRA' } }
    const sendable = (version: ContentVersionSource) =>
      ['+33639980012', '33639980012', '0639980012', '+331', 'none'].map((text) => rcsChannel.isSendable(text, version))
    assert.deepEqual(sendable(source), [true, true, false, false, false])
    assert.deepEqual(sendable(french), [true, true, true, false, false])
    for (const [enhanced, gatewayCode] of [
      ['5.3.3', '404 NOT_FOUND'],
      ['5.7.1', '403 PERMISSION_DENIED'],
      ['5.6.0', '400 INVALID_ARGUMENT'],
      ['5.1.1', '404'],
    ] as const) {
      const verdict = rcsChannel.verdictOf({ stage: 'rcpt', code: null, enhanced, gatewayCode, reply: '' })
      assert.deepEqual([verdict.enhanced, verdict.verdict], [enhanced, 'soft'])
    }
    const faults = (['connect', 'mail', 'rcpt', 'data'] as const).map((stage) => rcsChannel.isOurFault({ stage }))
    assert.deepEqual(faults, [true, true, false, false])
  })

  test("reports the errors, findings and result of a version's proofs and previews", () => {
    const source = versionOf('{{ data.text }}')
    const compiled = compileContent(toChannelContentSource(registered.rcs, source))
    const proof = (text: string) => renderMessage(compiled, sampleInput({ data: { text } }, { mode: 'preview' }))
    assert.deepEqual(rcsChannel.authoring.proofErrors(source, proof('Hi')), [])
    const [error] = rcsChannel.authoring.proofErrors(source, proof('a'.repeat(3073)))
    assert.deepEqual(error && [error.type, error.part], ['render', 'content/text'])
    const rendered = proof('Hi')
    assert.ok(rendered.outcome === 'rendered')
    const shown = (recipient: string) =>
      rcsChannel.authoring.preview({
        source,
        recipient,
        stamp: sampleStamp,
        rendered,
        settings: {} as never,
        headers: null,
      })
    assert.deepEqual(shown('+33639980012'), {
      type: 'success',
      recipient: '+33639980012',
      agent: 'orchard_fr_k2',
      message: { text: 'Hi' },
      fallback: { text: 'Pears STOP 36000', segments: 1 },
    })
    assert.equal((shown('none') as { recipient: unknown }).recipient, null)
    assert.deepEqual(rcsChannel.mirrored(rendered.parts), { title: '', text: 'Hi' })
    assert.match(rcsChannel.capturedBody({ bytes: Buffer.from('{"text":"<b>"}') } as never), /&lt;b&gt;/)
  })

  test('lays out captured messages as text, cards in order and what suggestions do', () => {
    const card = (title: string) => ({
      title,
      description: 'Until Sunday',
      media: { contentInfo: { fileUrl: 'https://img.orchard.example/p.jpg' } },
    })
    const open = {
      action: { text: 'See', postbackData: 'p', openUrlAction: { url: 'https://orchard.example/?a=1&b=2' } },
    }
    const message = {
      richCard: {
        carouselCard: { cardWidth: 'SMALL', cardContents: [{ ...card('<Pears>'), suggestions: [open] }, card('Figs')] },
      },
      suggestions: [{ reply: { text: 'Not now', postbackData: 'q' } }],
    }
    const [body = ''] = rcsChannel.capturedBody({ bytes: Buffer.from(JSON.stringify(message)) } as never).split('<h2>')
    assert.match(
      body,
      /<h3>&lt;Pears&gt;<\/h3>.*opens https:\/\/orchard\.example\/\?a=1&amp;b=2.*<h3>Figs<\/h3>.*<li>Not now<\/li>/s,
    )
    assert.doesNotMatch(body, /<img|<a /)
  })

  test('names the missing parts of an action and the parts that a request replaces', () => {
    const content = { type: 'text' as const, text: 'x' }
    assert.deepEqual(registered.rcs.missingParts({ content: null }, { profile: null }), ['settings.profile', 'content'])
    assert.deepEqual(registered.rcs.missingParts({ content }, { profile: 3 }), [])
    const { replaced } = rcsChannel.authoring
    const stored = { content, fallback }
    assert.deepEqual(replaced(stored, { fallback: null }), { content, fallback: null })
    assert.deepEqual(replaced(stored, { content: { ...content, text: 'y' } }), {
      content: { ...content, text: 'y' },
      fallback,
    })
  })

  test('resolves the agent and the fallback SMS sender with its required mention', () => {
    const resolve = (more: object) =>
      resolveRcsSender({ profile, purpose: marketing, trafficType: null, fallback, ...more }, sending, names)
    const own = resolve({})
    assert.deepEqual([own.rcs, own.errors], [{ profile: 3, agent: 'orchard_fr_k2', trafficType: null }, []])
    assert.deepEqual(own.sms, { format: 3, countries: [], sender: 'ORCHARD', stopMention: 'STOP 36000' })
    assert.equal(own.sender.trackingUrl, 'https://t.orchard.example')
    assert.equal(resolve({ fallback: { ...fallback, sender: '36000' } }).sms?.stopMention, null)
    assert.equal(resolve({ purpose: { type: 'service' } }).sms?.stopMention, null)
    const none = resolve({ profile: { ...profile, fallback: null } })
    assert.deepEqual(
      none.errors.map(({ type, part }) => [type, part]),
      [['sender', 'fallback']],
    )
    const { sender, rcs: chosen } = rcsChannel.authoring.resolveSender({
      profile,
      settings: { purpose: marketing, trafficType: 'TRANSACTION' },
      content: { fallback },
      sending,
      accountCode: names.named,
      publicUrl: names.publicUrl,
    })
    assert.deepEqual([chosen?.trafficType, sender], ['TRANSACTION', own.sender])
    const unasked = resolve({ fallback: null, profile: { ...profile, fallback: null } })
    assert.deepEqual([unasked.sms, unasked.errors], [undefined, []])
  })
})
