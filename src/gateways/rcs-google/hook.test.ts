import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rbmEvents, webhookRequest } from '#test/fakes/rcs/rbm-peer-webhook.ts'
import { isRcsHandshakeValid, isRcsSignatureValid, parseRcsEvent, parseRcsWebhook } from './hook.ts'

const clientToken = 'SJENCPGJESMGUFPY'
const agentId = 'orchard_fr_k2'
const phone = '+33639980012'
const messageId = '0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f6'

function received(event: unknown, attributes: Record<string, string> = {}) {
  const { body, headers } = webhookRequest(event as object, { clientToken, attributes })
  const request = parseRcsWebhook(Buffer.from(body))
  assert.ok(request?.kind === 'event')
  return { request, body, signature: headers['x-goog-signature'] }
}

const read = (event: unknown, attributes?: Record<string, string>) => parseRcsEvent(received(event, attributes).request)

describe('requests to the RBM webhook', () => {
  it('are accepted as a handshake only with the client token', () => {
    const request = parseRcsWebhook(Buffer.from(JSON.stringify({ clientToken, secret: '1234567890' })))
    assert.deepEqual(request, { kind: 'handshake', clientToken, secret: '1234567890' })
    assert.deepEqual(
      [clientToken, `${clientToken} `, '', clientToken.toLowerCase()].map((given) =>
        isRcsHandshakeValid(clientToken, { clientToken: given }),
      ),
      [true, false, false, false],
    )
  })

  it('are accepted as events only when signed over the decoded data', () => {
    const { request, body, signature } = received(rbmEvents.user('IS_TYPING', { agentId, senderPhoneNumber: phone }))
    assert.ok(isRcsSignatureValid(clientToken, request.data, signature))
    const raw = webhookRequest({}, { clientToken, sign: 'raw' }).headers['x-goog-signature']
    for (const wrong of [undefined, '', 'x', raw, `${signature}=`, signature?.toLowerCase()])
      assert.ok(!isRcsSignatureValid(clientToken, request.data, wrong), String(wrong))
    assert.ok(!isRcsSignatureValid('another', request.data, signature))
    assert.ok(!isRcsSignatureValid(clientToken, Buffer.from(body), signature))
  })

  it('are not recognised when they are not objects or lack required members', () => {
    for (const body of [
      '',
      '{',
      '7',
      'null',
      '[]',
      '{}',
      '{"message":{}}',
      '{"clientToken":1,"secret":"x"}',
      '{"message":"x"}',
    ])
      assert.equal(parseRcsWebhook(Buffer.from(body)), undefined, body)
  })
})

describe('events of the RBM webhook', () => {
  const common = (event: { eventId: string; sendTime: string }) => ({
    agent: agentId,
    phone,
    eventId: event.eventId,
    at: Date.parse(event.sendTime),
  })

  it('of a phone report what happened to a message', () => {
    for (const [type, kind] of [
      ['DELIVERED', 'delivered'],
      ['READ', 'read'],
    ] as const) {
      const event = rbmEvents.user(type, { agentId, senderPhoneNumber: phone, messageId })
      assert.deepEqual(read(event), { ...common(event), kind, messageId })
    }
    for (const [type, kind] of [
      ['IS_TYPING', 'typing'],
      ['SUBSCRIBE', 'subscribe'],
      ['UNSUBSCRIBE', 'unsubscribe'],
    ] as const) {
      const event = rbmEvents.user(type, { agentId, senderPhoneNumber: phone })
      assert.deepEqual(read(event), { ...common(event), kind })
    }
  })

  it('of the platform report that a message expired and whether it was revoked', () => {
    for (const [type, revoked] of [
      ['TTL_EXPIRATION_REVOKED', true],
      ['TTL_EXPIRATION_REVOKE_FAILED', false],
    ] as const) {
      const event = rbmEvents.server(type, { agentId, phoneNumber: phone, messageId })
      assert.deepEqual(read(event), { ...common(event), kind: 'expired', messageId, revoked })
    }
  })

  it('contain messages from people: texts, files, locations and taps', () => {
    const file = {
      mimeType: 'image/png',
      fileSizeBytes: '1024',
      fileName: 'p.png',
      fileUri: 'https://files.example/p.png',
    }
    const forms: [object, object][] = [
      [{ text: 'Stop' }, { kind: 'text', text: 'Stop' }],
      [
        { userFile: { payload: file, thumbnail: { ...file, fileUri: 'https://files.example/t.png' } } },
        { kind: 'file', file: { uri: file.fileUri, name: 'p.png', mimeType: 'image/png', bytes: 1024 } },
      ],
      [
        { userFile: { payload: { fileUri: file.fileUri } } },
        { kind: 'file', file: { uri: file.fileUri, name: null, mimeType: null, bytes: null } },
      ],
      [{ location: { latitude: 48.85, longitude: 2.35 } }, { kind: 'location', latitude: 48.85, longitude: 2.35 }],
      [{ location: { latitude: 51.5 } }, { kind: 'location', latitude: 51.5, longitude: 0 }],
      [
        { suggestionResponse: { postbackData: '~a.s0~later', text: 'Not now', type: 'REPLY' } },
        { kind: 'suggestion', type: 'reply', text: 'Not now', postback: '~a.s0~later' },
      ],
      [
        { suggestionResponse: { postbackData: 'pears', text: 'See', type: 'ACTION' } },
        { kind: 'suggestion', type: 'action', text: 'See', postback: 'pears' },
      ],
      [
        { suggestionResponse: { postbackData: 'pears' } },
        { kind: 'suggestion', type: 'action', text: '', postback: 'pears' },
      ],
    ]
    for (const [content, expected] of forms) {
      const event = rbmEvents.message(content, { agentId, senderPhoneNumber: phone })
      // A person's message has no event id: its own id serves.
      assert.deepEqual(read(event), { ...common({ ...event, eventId: event.messageId }), ...expected })
    }
  })

  it('of unknown types are identified without anything a person wrote', () => {
    const from = { agentId, senderPhoneNumber: phone }
    const strangers: [unknown, Record<string, string>, string][] = [
      [rbmEvents.user('REACTION', { ...from, messageId }), {}, 'REACTION'],
      [{ ...rbmEvents.user('x', from), eventType: 'my number is +33639980012' }, {}, 'malformed'],
      [rbmEvents.user('DELIVERED', from), {}, 'DELIVERED'],
      [rbmEvents.message({ sticker: { text: 'private' } }, from), { type: 'sticker' }, 'sticker'],
      [{ agentId, state: 'LAUNCHED' }, { type: 'agent_launch_event' }, 'agent_launch_event'],
      [rbmEvents.user('constructor', from), {}, 'constructor'],
      [rbmEvents.message({ suggestionResponse: {} }, from), {}, 'message'],
    ]
    for (const [event, attributes, name] of strangers)
      assert.deepEqual(read(event, attributes), { kind: 'unknown', name, agent: agentId })
    assert.deepEqual(read({ eventType: 'READ' }), { kind: 'unknown', name: 'READ', agent: null })
  })

  it('are ignored when their data is not a JSON object', () => {
    for (const data of ['', 'x', '[]', '7', 'null'])
      assert.equal(parseRcsEvent({ kind: 'event', data: Buffer.from(data), attributes: {} }), undefined)
  })

  it('have a null time when they contain no valid one', () => {
    const event = { ...rbmEvents.user('IS_TYPING', { agentId, senderPhoneNumber: phone }), sendTime: 'yesterday' }
    const seen = read(event)
    assert.ok(seen?.kind === 'typing' && seen.at === null)
  })
})
