import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { refusing, type SinkAnswer, type SinkEvent, type SinkOptions, startSink } from '#test/fakes/mail/smtp-sink.ts'
import { eventually } from '#test/support/wait.ts'
import type { GatewayOutcome, MessageGateway, OutgoingMail, SendBatchResult } from '../gateway.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'
import { readSmtpSettings } from './settings.ts'
import { openSmtpGateway } from './smtp.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const key = fixture('test-only-key.pem')
const cert = fixture('test-only-cert.pem')

const ends: (() => Promise<void>)[] = []
after(() => Promise.all(ends.map((end) => end())))

async function setUp(options: SinkOptions, settings: Partial<SmtpSettings> = {}, secrets?: SmtpSecrets) {
  const sink = await startSink(options)
  const whole = readSmtpSettings({ host: '127.0.0.1', port: sink.port, tls: 'none', connections: 1, ...settings })
  const gateway = openSmtpGateway('test', whole, secrets)
  ends.push(async () => {
    await gateway.close()
    await sink.close()
  })
  return { sink, gateway, settings: whole }
}

const TEXT = 'Subject: x\r\n\r\nHello\r\n'

function mail(id: number, more: Partial<OutgoingMail> & { to?: string } = {}): OutgoingMail {
  const { to = `c${id}@example.com`, ...rest } = more
  return { id, envelope: { from: 'bounce@shop.example', to }, bytes: Buffer.from(TEXT), ...rest }
}

const mails = (count: number) => Array.from({ length: count }, (_, index) => mail(index + 1))

interface Story extends SendBatchResult {
  outcomes: GatewayOutcome[]
  begun: number[]
}

async function send(
  gateway: MessageGateway,
  batch: Iterable<OutgoingMail>,
  signal?: AbortSignal,
  beforeBody?: (...ids: number[]) => void,
): Promise<Story> {
  const outcomes: GatewayOutcome[] = []
  const begun: number[] = []
  const result = await gateway.send(batch, {
    ...(signal ? { signal } : {}),
    beforeBody(...ids: number[]) {
      begun.push(...ids)
      beforeBody?.(...ids)
    },
    outcome: (outcome) => outcomes.push(outcome),
  })
  return { ...result, outcomes, begun }
}

const results = ({ outcomes }: Story): string[] =>
  outcomes
    .toSorted((a, b) => a.id - b.id)
    .map((one) => `${one.id} ${one.result}${'stage' in one ? ` ${one.stage}` : ''}`)

/** Misbehaves at one stage of the messages to one address, or of every message. */
function at(stage: SinkEvent['stage'], answer: SinkAnswer, when: (event: SinkEvent) => boolean = () => true) {
  return (event: SinkEvent): SinkAnswer => (event.stage === stage && when(event) ? answer : undefined)
}

const first = ({ connection, message }: SinkEvent): boolean => connection === 1 && message <= 1

describe('smtp › delivered messages', () => {
  const bodies: Record<string, string> = {
    'a plain message': 'a\r\nb\r\n',
    'lone dots and dots at line starts': '.\r\n..\r\n.a\r\nb.\r\n.\r\n',
    'a dot first': '.\r\n',
    'bare line feeds with dots': 'a\n.\nb\r\n',
    'a body over many chunks': `${'0123456789'.repeat(100)}\r\n`.repeat(400),
  }
  for (const chunking of [false, true]) {
    for (const pipelining of [false, true]) {
      it(`are byte for byte as passed in (chunking ${chunking}, pipelining ${pipelining})`, async () => {
        const { sink, gateway } = await setUp({ chunking, pipelining })
        const texts = Object.values(bodies)
        const batch = texts.map((text, index) => mail(index + 1, { bytes: Buffer.from(text) }))
        const story = await send(gateway, batch)
        assert.deepEqual(
          story.outcomes.map(({ result }) => result),
          texts.map(() => 'accepted'),
        )
        // A bare line feed before a dot has the dot doubled too; no end of data can be smuggled in behind it.
        const expected = chunking ? texts : texts.map((text) => text.replace('a\n.', 'a\n..'))
        assert.deepEqual(
          sink.messages.map(({ bytes }) => bytes.toString()),
          expected,
        )
        assert.equal(sink.counters.impatient, 0)
      })
    }
  }

  it('are the same when passed in pieces, wherever a dot falls, and end with CRLF', async () => {
    const { sink, gateway } = await setUp({})
    const pieces = ['a\r\n', '.', 'b\r', '\n.c', ''].map((piece) => Buffer.from(piece))
    await send(gateway, [mail(1, { bytes: pieces })])
    assert.equal(sink.messages[0]?.bytes.toString(), 'a\r\n.b\r\n.c\r\n')
  })

  it('have the envelope of the message', async () => {
    const { sink, gateway } = await setUp({})
    await send(gateway, [
      mail(1, { to: 'ann@exämple.example' }),
      { ...mail(2), envelope: { from: '', to: 'b@c.example' } },
    ])
    assert.deepEqual(
      sink.messages.map(({ from, to }) => [from, ...to]),
      [
        ['bounce@shop.example', 'ann@xn--exmple-cua.example'],
        ['', 'b@c.example'],
      ],
    )
  })
})

describe('smtp › outcomes', () => {
  it("an accepted message has the remote's reference", async () => {
    const { gateway } = await setUp({})
    const { outcomes, taken, stop } = await send(gateway, [mail(1)])
    assert.deepEqual(outcomes, [
      { id: 1, result: 'accepted', reference: '1.1', reply: '250 2.0.0 ok: queued as 1.1', mta: 'sink.test' },
    ])
    assert.deepEqual([taken, stop], [1, undefined])
  })

  for (const pipelining of [true, false]) {
    for (const chunking of [true, false]) {
      it(`each refusal affects only its own message (pipelining ${pipelining}, chunking ${chunking})`, async () => {
        const behave = (event: SinkEvent): SinkAnswer => {
          const { stage, address, message } = event
          if (stage === 'mail' && message === 2) return { code: 550, text: '5.7.1 no' }
          if (stage === 'data' && address === 'c5@example.com') return { code: 451, text: '4.3.0 later' }
          if (stage === 'final' && address === 'c6@example.com') return { code: 554, text: '5.6.0 spam' }
          return refusing({ 'c3@example.com': '550 5.1.1 no such user', 'c4@example.com': '452 full' })(event)
        }
        const { sink, gateway } = await setUp({ behave, pipelining, chunking })
        const story = await send(gateway, mails(8))
        assert.deepEqual(results(story), [
          '1 accepted',
          '2 refused mail',
          '3 refused rcpt',
          '4 deferred rcpt',
          chunking ? '5 accepted' : '5 deferred data',
          '6 refused data',
          '7 accepted',
          '8 accepted',
        ])
        assert.deepEqual(story.outcomes[2], {
          id: 3,
          result: 'refused',
          stage: 'rcpt',
          code: 550,
          enhanced: '5.1.1',
          reply: '550 5.1.1 no such user',
          mta: 'sink.test',
        })
        assert.deepEqual(story.begun, chunking ? [1, 5, 6, 7, 8] : [1, 6, 7, 8])
        assert.equal(sink.counters.connections, 1)
        assert.equal(sink.counters.impatient, 0)
      })
    }
  }

  it('the data phase is ended when a remote requests data after refusing the address', async () => {
    const behave = (event: SinkEvent): SinkAnswer =>
      event.stage === 'data' ? { code: 354, text: 'go on' } : refusing({ 'c1@example.com': '550 5.1.1 no' })(event)
    const { sink, gateway } = await setUp({ behave })
    assert.deepEqual(results(await send(gateway, mails(3))), ['1 refused rcpt', '2 accepted', '3 accepted'])
    assert.equal(sink.counters.connections, 1)
    assert.equal(sink.messages.length, 2)
  })

  it('the connection is ended when a remote requests data after refusing the sender', async () => {
    const behave = (event: SinkEvent): SinkAnswer => {
      if (event.connection > 1) return undefined
      if (event.stage === 'mail') return { raw: '550 no\r\n250 ok\r\n354 go on\r\n' }
      return event.stage === 'rcpt' || event.stage === 'data' ? { raw: '' } : undefined
    }
    const { sink, gateway } = await setUp({ behave })
    const story = await send(gateway, [mail(1)])
    assert.deepEqual(results(story), ['1 refused mail'])
    assert.equal(sink.messages.length, 0)
  })

  it('a reply of several lines is read whole', async () => {
    const behave = at('rcpt', { code: 550, text: '5.1.1 There is\n5.1.1 nobody\n5.1.1 of that name' })
    const { gateway } = await setUp({ behave })
    const { outcomes } = await send(gateway, [mail(1)])
    assert.equal(outcomes[0]?.result === 'refused' && outcomes[0].reply, '550 5.1.1 There is nobody of that name')
  })

  it("a slow remote's reply is awaited", async () => {
    const { gateway } = await setUp({ behave: at('final', { code: 250, text: 'slow', afterMs: 60 }) })
    assert.deepEqual(results(await send(gateway, mails(2))), ['1 accepted', '2 accepted'])
  })
})

describe('smtp › broken connections', () => {
  const lost = 'the connection was closed'

  it('only a message whose body had begun is doubtful', async () => {
    const { sink, gateway } = await setUp({ behave: at('body', 'drop', first) })
    const story = await send(gateway, mails(3))
    assert.deepEqual(story.outcomes[0], { id: 1, result: 'doubtful', reason: lost, mta: 'sink.test' })
    // The connection was of no use at all, so the relay is left alone for a second.
    assert.equal(story.stop?.why, 'down')
    assert.equal(sink.messages.length, 0)
    assert.deepEqual(story.begun, [1])
  })

  it('a message is doubtful when its final reply is missing or invalid', async () => {
    for (const answer of [
      'drop',
      'stall',
      { raw: 'HTTP/1.1 400 Bad Request\r\n' },
      { code: 354, text: 'x' },
    ] as const) {
      const { gateway, settings } = await setUp({ behave: at('final', answer, ({ message }) => message === 2) })
      // The other replies may come as late as they like.
      const story = await send(gateway, mails(4), undefined, (id) => {
        settings.finalMs = id % 2 === 0 && answer === 'stall' ? 100 : 60_000
      })
      assert.deepEqual(
        results(story),
        ['1 accepted', '2 doubtful', '3 accepted', '4 accepted'].toSpliced(3, 1, '4 doubtful'),
      )
    }
  })

  it('messages behind a lost connection are sent over the next one', async () => {
    const behave = at('mail', 'drop', ({ message }) => message === 3)
    const { sink, gateway } = await setUp({ behave })
    const story = await send(gateway, mails(9))
    assert.deepEqual(new Set(story.outcomes.map(({ result }) => result)), new Set(['accepted']))
    assert.equal(story.outcomes.length, 9)
    assert.equal(sink.messages.length, 9)
    assert.ok(sink.counters.connections >= 4)
  })

  it('no message is lost when the remote closes with 421 between messages', async () => {
    const behave = at('rcpt', { code: 421, text: '4.7.0 enough for now' }, ({ message }) => message === 2)
    const { sink, gateway } = await setUp({ behave })
    const story = await send(gateway, mails(5))
    assert.equal(story.outcomes.filter(({ result }) => result === 'accepted').length, 5)
    assert.equal(sink.messages.length, 5)
  })

  it('a message that gets 421 after its body is deferred', async () => {
    const { gateway } = await setUp({ behave: at('final', { code: 421, text: '4.3.2 shutting down' }, first) })
    const story = await send(gateway, mails(1))
    assert.deepEqual(results(story), ['1 deferred data'])
  })

  const recordFailure: Record<string, [SinkEvent['stage'], SinkAnswer]> = {
    'refuses the connection': ['connect', { code: 554, text: 'go away' }],
    'drops the connection': ['connect', 'drop'],
    'says nothing': ['connect', 'stall'],
    'speaks another protocol': ['connect', { raw: 'SSH-2.0-OpenSSH_9.2\r\n' }],
    'never ends a line': ['connect', { raw: `220 ${'x'.repeat(100_000)}` }],
    'never ends a reply': ['ehlo', { raw: '250-x\r\n'.repeat(100_000) }],
    'mixes the codes of one reply': ['ehlo', { raw: '250-a\r\n500 b\r\n' }],
    'refuses EHLO for now': ['ehlo', { code: 421, text: 'busy' }],
  }
  for (const [what, [stage, answer]] of Object.entries(recordFailure)) {
    it(`no message is taken while the relay ${what}, and the reason is reported`, async () => {
      const { gateway } = await setUp({ behave: at(stage, answer) }, { greetingMs: 100 })
      const story = await send(gateway, mails(3))
      assert.deepEqual([story.taken, story.outcomes, story.stop?.why], [0, [], 'down'])
      assert.ok((story.stop?.retryAfterMs ?? 0) > 0 && story.stop?.detail !== '')
      assert.equal((await gateway.check()).ok, false)
    })
  }

  it('no message is taken while the relay is unreachable', async () => {
    const { gateway } = await setUp({}, { port: 1 })
    const story = await send(gateway, mails(3))
    assert.equal(story.taken, 0)
    assert.match(story.stop?.detail ?? '', /ECONNREFUSED/)
    assert.equal((await send(gateway, mails(3))).taken, 0)
  })

  it('one message is deferred, not the batch, when a new connection breaks before the body', async () => {
    const { gateway } = await setUp({ behave: at('rcpt', 'drop') })
    const story = await send(gateway, mails(5))
    assert.deepEqual(results(story), ['1 deferred rcpt'])
    assert.equal(story.stop?.why, 'down')
  })

  it('an unsolicited reply is not treated as the reply to the next command', async () => {
    const behave = at('final', { raw: '250 2.0.0 ok\r\n250 2.0.0 ok again\r\n' }, ({ message }) => message === 1)
    const { sink, gateway } = await setUp({ behave, keep: 'bytes' }, { idleMs: 1000 })
    const one = await send(gateway, [mail(1)])
    const two = await send(gateway, [mail(2, { to: 'refused@example.com' })])
    assert.deepEqual([...results(one), ...results(two)], ['1 accepted', '2 accepted'])
    assert.equal(sink.counters.connections, 2)
  })

  it('fewer connections are used when the relay allows fewer', async () => {
    const behave = at('connect', { code: 421, text: '4.7.0 too many' }, ({ connection }) => connection > 2)
    const { sink, gateway } = await setUp({ behave }, { connections: 8 })
    const story = await send(gateway, mails(200))
    assert.equal(story.outcomes.filter(({ result }) => result === 'accepted').length, 200)
    assert.equal(sink.messages.length, 200)
  })
})

describe('smtp › addresses', () => {
  const local = (story: Story) =>
    story.outcomes.map((one) => (one.result === 'refused' ? [one.id, one.enhanced, one.stage] : one.result))

  it('a non-ASCII local part is refused with 5.6.7 and without DATA when SMTPUTF8 is not offered', async () => {
    const { sink, gateway } = await setUp({ smtputf8: false })
    const story = await send(gateway, [mail(1, { to: 'zoé@exämple.example' }), mail(2)])
    assert.deepEqual(local(story), [[1, '5.6.7', 'rcpt'], 'accepted'])
    assert.deepEqual(story.begun, [2])
    assert.equal(sink.messages.length, 1)
  })

  it('a non-ASCII local part is sent when SMTPUTF8 is offered', async () => {
    const { sink, gateway } = await setUp({})
    await send(gateway, [mail(1, { to: 'zoé@exämple.example' })])
    assert.deepEqual(sink.messages[0]?.to, ['zoé@exämple.example'])
    assert.equal(sink.messages[0]?.parameters, `SIZE=${TEXT.length} SMTPUTF8`)
  })

  it('cannot inject commands', async () => {
    const { sink, gateway } = await setUp({})
    const evil = [
      'a@b.example>\r\nRCPT TO:<c@d.example',
      'a\r\n@b.example',
      'a b@c.example',
      '<a@b.example>',
      'a',
      '@b.example',
      'a@b\n.example',
      'a@b.example SIZE=1',
    ]
    const story = await send(
      gateway,
      evil.map((to, index) => mail(index, { to })),
    )
    assert.deepEqual(
      local(story),
      evil.map((_, index) => [index, '5.1.3', 'rcpt']),
    )
    const from = await send(gateway, [{ ...mail(1), envelope: { from: 'a@b.example> SIZE=1', to: 'a@b.example' } }])
    assert.deepEqual(local(from), [[1, '5.1.7', 'mail']])
    assert.equal(sink.counters.messages, 0)
  })

  it('an address of more than 254 octets and a message over SIZE are refused', async () => {
    const { gateway } = await setUp({ size: 1000 })
    const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`
    const story = await send(gateway, [mail(1, { to: long }), mail(2, { bytes: Buffer.alloc(1001, 'a') })])
    assert.deepEqual(local(story), [
      [1, '5.1.3', 'rcpt'],
      [2, '5.3.4', 'mail'],
    ])
  })

  it('8-bit octets are sent only when 8BITMIME is offered', async () => {
    const eightBit = mail(1, { bytes: Buffer.from('é\r\n') })
    assert.deepEqual(local(await send((await setUp({ eightBitMime: false })).gateway, [eightBit])), [
      [1, '5.6.3', 'data'],
    ])
    const { sink, gateway } = await setUp({})
    assert.deepEqual(local(await send(gateway, [eightBit])), ['accepted'])
    assert.equal(sink.messages[0]?.parameters, 'SIZE=4 BODY=8BITMIME')
  })
})

describe('smtp › connections', () => {
  it('are few for many messages, each with at most its number of messages', async () => {
    const { sink, gateway } = await setUp({}, { connections: 4, messages: 10 })
    const story = await send(gateway, mails(205))
    assert.equal(story.taken, 205)
    assert.equal(new Set(sink.messages.map(({ to }) => to[0])).size, 205)
    const each = Map.groupBy(sink.messages, ({ connection }) => connection)
    assert.ok(each.size >= 21)
    assert.ok([...each.values()].every((group) => group.length <= 10))
  })

  it('take no message before they are free', async () => {
    const { gateway } = await setUp({}, { connections: 2 })
    let ahead = 0
    let most = 0
    function* batch() {
      for (const one of mails(50)) {
        most = Math.max(most, ++ahead)
        yield one
      }
    }
    await gateway.send(batch(), { outcome: () => ahead-- })
    // Two on the wire, two announced behind them, one looked at.
    assert.ok(most <= 5, `${most}`)
  })

  it('let batches take turns, so that a small one does not wait for a long one', async () => {
    const { sink, gateway } = await setUp({})
    const long = send(gateway, mails(300))
    await send(gateway, [mail(1000, { to: 'urgent@example.com' })])
    const place = sink.messages.findIndex(({ to }) => to[0] === 'urgent@example.com')
    assert.ok(place >= 0 && place < 100, `${place}`)
    assert.equal((await long).taken, 300)
  })

  it('are reused after being idle and closed at the end', async () => {
    const { sink, gateway } = await setUp({})
    await send(gateway, mails(2))
    await send(gateway, mails(2))
    assert.equal(sink.counters.connections, 1)
    await gateway.close()
    assert.deepEqual((await send(gateway, mails(1))).stop?.why, 'aborted')
  })

  it('are replaced when an idle one was closed', async () => {
    const { sink, gateway } = await setUp({})
    await send(gateway, mails(1))
    sink.cutAll()
    assert.deepEqual(results(await send(gateway, mails(1))), ['1 accepted'])
    assert.equal(sink.counters.connections, 2)
  })

  it('take no more messages once aborted and finish those taken', async () => {
    const { sink, gateway } = await setUp({})
    const control = new AbortController()
    function* batch() {
      for (const one of mails(100)) {
        if (one.id === 20) control.abort()
        yield one
      }
    }
    const story = await send(gateway, batch(), control.signal)
    assert.equal(story.stop?.why, 'aborted')
    assert.equal(story.outcomes.length, story.taken)
    assert.equal(sink.messages.length, story.taken)
    assert.ok(story.taken < 25)
    assert.equal((await send(gateway, mails(3), AbortSignal.abort())).taken, 0)
  })

  it('give every message an outcome when closed in the middle', async () => {
    let isStalled = false
    const behave = ({ stage, message }: SinkEvent): SinkAnswer => {
      if (stage !== 'final' || message !== 3) return undefined
      isStalled = true
      return 'stall'
    }
    const { gateway } = await setUp({ behave })
    const story = send(gateway, mails(10))
    await eventually(() => isStalled)
    await gateway.close(50)
    const { outcomes, taken } = await story
    assert.equal(outcomes.length, taken)
    assert.ok(outcomes.some(({ result }) => result === 'doubtful'))
  })

  it('rethrow errors of the batch or its listener after finishing the messages taken', async () => {
    const { gateway } = await setUp({})
    function* batch() {
      yield mail(1)
      throw new Error('cannot compose')
    }
    const outcomes: GatewayOutcome[] = []
    await assert.rejects(gateway.send(batch(), { outcome: (one) => outcomes.push(one) }), /cannot compose/)
    assert.equal(outcomes.length, 1)
  })

  it('send no body of a message that the journal refuses', async () => {
    const { sink, gateway } = await setUp({})
    const outcomes: GatewayOutcome[] = []
    const beforeBody = () => {
      throw new Error('disk full')
    }
    await gateway.send([mail(1)], { beforeBody, outcome: (one) => outcomes.push(one) })
    assert.deepEqual(
      outcomes.map(({ result }) => result),
      ['deferred'],
    )
    assert.equal(sink.counters.messages, 0)
  })
})

describe('smtp › TLS', () => {
  const secrets = { username: 'shop', password: 'pässword' }

  it('encrypts when offered and resumes the session on later connections', async () => {
    const { sink, gateway } = await setUp(
      { tls: { key, cert, mode: 'starttls' } },
      { tls: 'opportunistic', messages: 2 },
    )
    assert.equal((await send(gateway, mails(6))).outcomes.filter(({ result }) => result === 'accepted').length, 6)
    assert.equal(sink.counters.handshakes, 3)
    assert.equal(sink.counters.resumed, 2)
  })

  it('checks the certificate when required', async () => {
    const options: SinkOptions = { tls: { key, cert, mode: 'starttls' } }
    const wrong = await send((await setUp(options, { tls: 'required' })).gateway, mails(1))
    assert.match(wrong.stop?.detail ?? '', /self-signed/)
    const right = await send((await setUp(options, { tls: 'required', ca: cert })).gateway, mails(1))
    assert.deepEqual(results(right), ['1 accepted'])
    const unchecked = await send((await setUp(options, { tls: 'required', verify: false })).gateway, mails(1))
    assert.deepEqual(results(unchecked), ['1 accepted'])
  })

  it('sends nothing unencrypted when required but not offered', async () => {
    const { sink, gateway } = await setUp({}, { tls: 'required' })
    assert.match((await send(gateway, mails(1))).stop?.detail ?? '', /STARTTLS/)
    assert.equal(sink.counters.messages, 0)
  })

  it('starts with the first byte in implicit mode', async () => {
    const { gateway } = await setUp(
      { tls: { key, cert, mode: 'implicit' } },
      { tls: 'implicit', ca: cert, host: 'localhost' },
    )
    assert.deepEqual(results(await send(gateway, mails(3))), ['1 accepted', '2 accepted', '3 accepted'])
    assert.match((await gateway.check()).detail, /TLSv1\.3/)
  })

  it('falls back to plain text after a failed handshake in opportunistic mode', async () => {
    let isHandshake = false
    const behave = ({ stage }: SinkEvent): SinkAnswer => {
      if (stage !== 'starttls') return undefined
      isHandshake = true
      return { raw: '220 go on\r\n', isLast: true }
    }
    const { sink, gateway, settings } = await setUp(
      { tls: { key, cert, mode: 'starttls' }, behave },
      { tls: 'opportunistic' },
    )
    // The handshake alone is given up soon; its limit is the first one that is read after STARTTLS.
    Object.defineProperty(settings, 'connectMs', {
      enumerable: true,
      get() {
        const ms = isHandshake ? 100 : 60_000
        isHandshake = false
        return ms
      },
    })
    assert.deepEqual(results(await send(gateway, mails(1))), ['1 accepted'])
    assert.deepEqual([sink.counters.connections, sink.counters.handshakes], [2, 0])
  })

  it('discards plain text received after the reply to STARTTLS', async () => {
    const behave = at('starttls', { raw: '220 go on\r\n250 injected\r\n' })
    const { gateway } = await setUp({ tls: { key, cert, mode: 'starttls' }, behave }, { tls: 'required', ca: cert })
    assert.match((await send(gateway, mails(1))).stop?.detail ?? '', /unexpected reply: 250 injected/)
  })

  it('is required for authentication unless plain authentication is allowed', async () => {
    const options: SinkOptions = { credentials: secrets }
    const clear = await send((await setUp(options, {}, secrets)).gateway, mails(1))
    assert.match(clear.stop?.detail ?? '', /not sent without TLS/)
    const allowed = await send((await setUp(options, { plainAuth: true }, secrets)).gateway, mails(1))
    assert.deepEqual(results(allowed), ['1 accepted'])
    const tls: SinkOptions = { ...options, tls: { key, cert, mode: 'starttls' } }
    const sealed = await send((await setUp(tls, { tls: 'required', ca: cert }, secrets)).gateway, mails(1))
    assert.deepEqual(results(sealed), ['1 accepted'])
  })

  it('wrong credentials do not affect messages', async () => {
    const { gateway } = await setUp({ credentials: secrets }, { plainAuth: true }, { username: 'shop', password: 'x' })
    const story = await send(gateway, mails(3))
    assert.deepEqual([story.taken, story.stop?.why], [0, 'down'])
    assert.match(story.stop?.detail ?? '', /535 5\.7\.8/)
  })
})
