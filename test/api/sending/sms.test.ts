import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseLinkToken } from '../../../src/lib/crypto/tokens.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, gateway, get, settle, sendDue, state } = stage

const SMS = 'application/vnd.np6.cm.sms'
const { body: phone } = await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
let numbers = 0

/** A French mobile number that is not used yet. */
function newNumber(): string {
  return `+336010${String(++numbers).padStart(5, '0')}`
}

/** A contact with a mobile number; gives its address, number and id. */
async function person(number: string | null = newNumber()) {
  const address = `sms${++numbers}@shop.example`
  const id = await stage.contact(address, number === null ? {} : { Mobile: number })
  return { address, id, number: number ?? '' }
}

function to(address: string) {
  return { type: 'unicity', value: [address] }
}

/** An SMS action; `service`, so that no mention is asked for, unless `more` says otherwise. */
async function sms(
  textContent: string | null,
  { settings = {}, ...more }: { settings?: object; type?: string; scheduler?: object } = {},
) {
  const { body, status, text } = await call('POST', '/actions', {
    body: {
      type: 'smsMessage',
      name: 'Text',
      settings: { purpose: { type: 'service' }, sender: 'SHOP', ...settings },
      content: { textContent },
      ...more,
    },
  })
  assert.equal(status, 200, text)
  return body.id as string
}

const validate = (id: string, body: object) => call('POST', `/actions/${id}/validation`, { body })
const lastValidation = async (id: string) => (await get(id)).informations.lastValidation

/** Takes an SMS action to 50 by way of a test. */
async function validated(id: string): Promise<string> {
  assert.equal((await validate(id, { fortest: true, mediaForTest: '+33601999999' })).status, 204)
  await settle()
  const answer = await validate(id, { fortest: false })
  assert.equal(answer.status, 204, JSON.stringify([answer.body, await lastValidation(id)]))
  return id
}

const execute = (id: string, items: unknown[], type = SMS) =>
  call('POST', `/actions/${id}/executions`, { body: items, headers: { 'content-type': type } })

async function render(id: string, item: object = {}) {
  return (await call('POST', `/actions/${id}/render`, { body: item })).body
}

const received = (number: string) => gateway.sentSms.filter((one) => one.to === number)

interface Shown {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
  source: { type: string; detail: any }
}

/** The events of one send, oldest first. */
async function eventsOf(action: string, stamp: string): Promise<Shown[]> {
  const events: Shown[] = (await call('GET', `/actions/${action}/events`)).body
  return events.filter(({ source: { detail } }) => (detail.execution ?? detail.activation).stamp.id === stamp)
}

/** The one cancellation of a send, as type and value. */
async function cancellation(action: string, stamp: string) {
  const found = (await eventsOf(action, stamp)).filter(({ type }) => type === 'cancellation')
  assert.equal(found.length, 1)
  return found[0]?.source.detail.cancellation
}

suite('an SMS message', () => {
  test('is tested, validated and sent, with events of the channel sms', async () => {
    const { address, number, id: contact } = await person()
    const id = await validated(await sms('Hello {{ contact.Email }}, parcel {{ data.parcel }} is ready.'))
    const { status, body } = await execute(id, [{ recipient: to(address), data: { parcel: 77 } }])
    assert.equal(status, 200)
    await sendDue()
    const [sent, ...more] = received(number)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [sent?.text, sent?.from, sent?.encoding],
      [`Hello ${address}, parcel 77 is ready.`, 'SHOP', 'gsm7'],
    )
    const events = await eventsOf(id, body[0].id)
    assert.deepEqual(
      events.map(({ type, source }) => [type, source.type]),
      [
        ['execution', 'sms'],
        ['activation', 'sms'],
      ],
    )
    const { activation } = events[1]!.source.detail
    assert.deepEqual([activation.recipient, activation.field, activation.receiver.id], [number, phone.id, contact])
    assert.deepEqual(Object.keys(activation.gateway), ['name', 'message'])
  })

  test('a proof is sent to the test number with the text prefix, with events of kind test', async () => {
    await call('PUT', '/settings/sending', { body: { testTextPrefix: '[PROOF] ' } })
    const id = await sms('Hello')
    assert.equal((await validate(id, { fortest: true, mediaForTest: '+33601888888' })).status, 204)
    await settle()
    assert.equal(await state(id), 38)
    assert.deepEqual(
      received('+33601888888').map(({ text }) => text),
      ['[PROOF] Hello'],
    )
    await call('PUT', '/settings/sending', { body: { testTextPrefix: '' } })
    const events: Shown[] = (await call('GET', `/actions/${id}/events`)).body
    const kinds = events.map(({ source }) => source.detail.activation.kind)
    assert.deepEqual(kinds, ['test'])
  })

  test('an invalid test number is refused', async () => {
    const id = await sms('Hello')
    for (const mediaForTest of ['ann@shop.example', '0601020304', '+3312', '']) {
      const { status, body } = await validate(id, { fortest: true, mediaForTest })
      assert.deepEqual([status, body.errors?.[0]?.pointer], [400, '/mediaForTest'], mediaForTest)
    }
  })

  test('the media type of the other channel is 415', async () => {
    const id = await sms('Hello')
    const { address } = await person()
    for (const path of ['executions', 'renders']) {
      const answer = await call('POST', `/actions/${id}/${path}`, {
        body: [{ recipient: to(address) }],
        headers: { 'content-type': 'application/vnd.np6.cm.email' },
      })
      assert.equal(answer.status, 415, path)
    }
  })

  test('members that only emails have are 400 on its items, each with its pointer', async () => {
    const id = await validated(await sms('Hello'))
    const recipient = to((await person()).address)
    const items = [
      { recipient },
      { recipient, subject: 'Hi', headers: { reply: 'a@b.example' }, important: true },
      { recipient, content: { html: '<p>', text: 'x' } },
    ]
    const { status, body } = await execute(id, items)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/1/headers', '/1/subject', '/1/important', '/2/content/html'],
    )
  })

  test('an item can bring its own text, plain or as a template', async () => {
    const [one, two] = [await person(), await person()]
    const id = await validated(await sms('Hello'))
    await execute(id, [
      { recipient: to(one.address), content: { text: 'Plain {{ 1 | plus: 1 }}' } },
      { recipient: to(two.address), content: { type: 'template', text: 'Sum {{ 1 | plus: 1 }}' } },
    ])
    await sendDue()
    assert.deepEqual(
      [received(one.number)[0]?.text, received(two.number)[0]?.text],
      ['Plain {{ 1 | plus: 1 }}', 'Sum 2'],
    )
  })

  test('a repeated stamp sends nothing again', async () => {
    const { address, number } = await person()
    const id = await validated(await sms('Once'))
    const item = { recipient: to(address), stamp: { id: '019512a0-7c11-7d2e-9a42-0c1de0a50501' } }
    const first = await execute(id, [item])
    await sendDue()
    assert.deepEqual((await execute(id, [item])).body, first.body)
    await sendDue()
    assert.equal(received(number).length, 1)
  })

  test('a legacy send is sent in the same way', async () => {
    const { id: contact, number } = await person()
    const id = await validated(await sms('Old way {{ data.n }}'))
    assert.equal((await call('POST', `/actions/${id}/targets/${contact}`, { body: { data: { n: 5 } } })).status, 204)
    await sendDue()
    assert.equal(received(number)[0]?.text, 'Old way 5')
  })

  test('another account finds neither the action nor its contacts', async () => {
    const { address } = await person()
    const id = await validated(await sms('Mine'))
    for (const path of ['executions', 'renders'])
      assert.equal(
        (await call('POST', `/actions/${id}/${path}`, { body: [{ recipient: to(address) }], key: stage.other.key }))
          .status,
        404,
      )
  })
})

suite('SMS encoding', () => {
  async function sent(text: string, settings: object) {
    const { address, number } = await person()
    const id = await validated(await sms('{{ data.text }}', { settings }))
    const { body } = await execute(id, [{ recipient: to(address), data: { text } }])
    await sendDue()
    return { sms: received(number)[0], id, stamp: body[0].id as string }
  }

  test('format 3 uses GSM-7 when every character fits, else UCS-2', async () => {
    assert.equal((await sent('être à 5 €', {})).sms?.encoding, 'ucs2')
    assert.equal((await sent('été à 5 €', {})).sms?.encoding, 'gsm7')
  })

  test('format 1 replaces characters that GSM-7 does not have with look-alikes', async () => {
    const { sms: one } = await sent('“L’été” – Ça…\u00a0ê', { smsFormat: 1 })
    assert.deepEqual([one?.text, one?.encoding], ['"L\'été" - Ça... e', 'gsm7'])
  })

  test('format 1 reports a character without a look-alike as a render error', async () => {
    const { sms: one, id, stamp } = await sent('日本', { smsFormat: 1 })
    assert.equal(one, undefined)
    const { type, value } = await cancellation(id, stamp)
    assert.deepEqual([type, value.type], ['render error', 'render'])
  })

  test('format 2 always uses UCS-2', async () => {
    assert.equal((await sent('plain', { smsFormat: 2 })).sms?.encoding, 'ucs2')
  })

  test('more than 8 segments are a render error', async () => {
    assert.equal((await sent('a'.repeat(8 * 153), {})).sms?.text.length, 8 * 153)
    const { id, stamp } = await sent('a'.repeat(8 * 153 + 1), {})
    assert.equal((await cancellation(id, stamp)).type, 'render error')
  })

  test('segments are counted as networks split them', async () => {
    const id = await sms('{{ data.text }}')
    const cases: [string, string, number, number][] = [
      ['a'.repeat(160), 'gsm7', 1, 160],
      ['a'.repeat(161), 'gsm7', 2, 161],
      ['ж'.repeat(70), 'ucs2', 1, 70],
      ['ж'.repeat(71), 'ucs2', 2, 71],
      [`${'a'.repeat(159)}€`, 'gsm7', 2, 161],
    ]
    for (const [text, encoding, segments, length] of cases) {
      const shown = await render(id, { data: { text } })
      assert.deepEqual([shown.encoding, shown.segments, shown.length], [encoding, segments, length])
    }
  })
})

suite('the STOP mention', () => {
  const marketing = { purpose: { type: 'marketing' }, smsType: 2 }

  test('a test ends in repair when the mention is needed and not set', async () => {
    const id = await sms('Sale', { settings: marketing })
    await validate(id, { fortest: true, mediaForTest: '+33601777777' })
    await settle()
    const { result, errors } = await lastValidation(id)
    assert.deepEqual(
      [await state(id), result, errors[0].type, errors[0].part],
      [10, 'repair', 'stop-mention', 'textContent'],
    )
  })

  test('ends a marketing text of smsType 2 and is counted in its segments', async () => {
    await call('PUT', '/settings/sending', { body: { stopMention: 'STOP 36111' } })
    const id = await sms('a'.repeat(155), { settings: marketing })
    const shown = await render(id)
    assert.deepEqual([shown.text, shown.segments], [`${'a'.repeat(155)} STOP 36111`, 2])
    const { address, number } = await person()
    await execute(await validated(id), [{ recipient: to(address) }])
    await sendDue()
    assert.equal(received(number)[0]?.text, `${'a'.repeat(155)} STOP 36111`)
  })

  test('is not repeated when the text already has it, ignoring case and spaces', async () => {
    assert.equal((await render(await sms('Sale. Stop  36111', { settings: marketing }))).text, 'Sale. Stop  36111')
  })

  test('is absent for smsType 1 and service messages, unless standard SMS are set to have it', async () => {
    const standard = await sms('Sale', { settings: { purpose: { type: 'marketing' } } })
    assert.equal((await render(standard)).text, 'Sale')
    assert.equal((await render(await sms('Parcel', { settings: { smsType: 2 } }))).text, 'Parcel')
    await call('PUT', '/settings/sending', { body: { stopOnStandard: true } })
    assert.equal((await render(standard)).text, 'Sale STOP 36111')
    await call('PUT', '/settings/sending', { body: { stopOnStandard: false } })
  })
})

suite('an SMS test', () => {
  test('ends in repair when every proof is too long or cannot be encoded', async () => {
    for (const [text, settings, type] of [
      ['a'.repeat(1300), {}, 'sms-length'],
      ['日本', { smsFormat: 1 }, 'sms-alphabet'],
    ] as const) {
      const id = await sms(text, { settings })
      await validate(id, { fortest: true, mediaForTest: '+33601777777' })
      await settle()
      const { errors } = await lastValidation(id)
      assert.deepEqual([await state(id), errors[0].type, errors[0].position], [10, type, null])
    }
  })

  test('continues with the contacts whose text fits', async () => {
    const [fit, unfit] = [await person(), await person()]
    const segment = await stage.segment([fit.id, unfit.id], { isTest: true })
    const id = await sms(`{% if contact.Email == "${unfit.address}" %}${'a'.repeat(1300)}{% endif %}Hi`)
    await validate(id, { fortest: true, testSegments: [segment] })
    await settle()
    const { errors, recipients } = await lastValidation(id)
    assert.deepEqual([await state(id), recipients, errors.length], [38, 1, 1])
    assert.deepEqual([received(fit.number).length, received(unfit.number).length], [1, 0])
  })

  test('reports the position of an unknown field in a template', async () => {
    const id = await sms('Hi\n {{ contact.Nofield }}')
    await validate(id, { fortest: true, mediaForTest: '+33601777777' })
    await settle()
    const { errors } = await lastValidation(id)
    assert.deepEqual([await state(id), errors[0].part, errors[0].position?.line], [10, 'textContent', 2])
  })
})

suite('SMS renders', () => {
  test('show the text, recipient and sender that would be used', async () => {
    const { address, number } = await person()
    const id = await sms('Hello Ann, parcel {{ data.n }} is ready.')
    assert.deepEqual(await render(id, { recipient: to(address), data: { n: 77 } }), {
      type: 'success',
      recipient: number,
      sender: 'SHOP',
      text: 'Hello Ann, parcel 77 is ready.',
      encoding: 'gsm7',
      segments: 1,
      length: 30,
    })
  })

  test('report an error on its own item only', async () => {
    const id = await sms('{{ data.text }}')
    const { body } = await call('POST', `/actions/${id}/renders`, {
      body: [{ data: { text: 'a'.repeat(1300) } }, {}, { recipient: to('nobody@shop.example') }],
    })
    assert.deepEqual(
      body.map((one: { type: string; value?: { type: string } }) => one.value?.type ?? one.type),
      ['render', 'success', 'recipient not found'],
    )
    assert.deepEqual([body[1].text, body[1].segments], ['', 1])
  })

  test("replace a blank sender with the profile's, else the name of the account", async () => {
    const id = await sms('Hi', { settings: { sender: null } })
    assert.match((await render(id)).sender, /^[A-Za-z0-9]{3,11}$/)
    const { profiles } = (await call('GET', '/settings/sending')).body
    const own = profiles.map((profile: { channel: string }) =>
      profile.channel === 'sms' ? { ...profile, sender: '36111' } : profile,
    )
    assert.equal((await call('PUT', '/settings/sending', { body: { profiles: own } })).status, 200)
    assert.equal((await render(id)).sender, '36111')
  })
})

suite('SMS exclusions', () => {
  async function excluded(number: string | null, settings: object = {}, before?: (id: string) => Promise<unknown>) {
    const { address, id: contact } = await person(number)
    const id = await validated(await sms('Hello', { settings }))
    await before?.(contact)
    const { body } = await execute(id, [{ recipient: to(address) }])
    await sendDue()
    return cancellation(id, body[0].id)
  }

  test('a missing number and an invalid number are excluded', async () => {
    assert.deepEqual(await excluded(null), { type: 'empty address', value: { field: phone.id } })
    assert.deepEqual(await excluded('123456'), { type: 'invalid address', value: { field: phone.id } })
  })

  test('a number outside the allowed countries is excluded, and one inside is sent to', async () => {
    assert.deepEqual(await excluded('+4915123456789', { countries: ['FRA', 'BEL'] }), {
      type: 'country',
      value: { country: 'DEU' },
    })
    const { address, number } = await person()
    await execute(await validated(await sms('Bonjour', { settings: { countries: ['FRA'] } })), [
      { recipient: to(address) },
    ])
    await sendDue()
    assert.equal(received(number).length, 1)
  })

  test('the SMS red list excludes, the mail red list does not', async () => {
    const list = (contact: string, channel: string) => call('POST', `/targets/${contact}/redlist/${channel}`)
    const one = await excluded(newNumber(), {}, (contact) => list(contact, 'sms'))
    assert.deepEqual(one, { type: 'redlist', value: { channel: 'sms' } })
    const { address, number, id: contact } = await person()
    assert.equal((await list(contact, 'mail')).status, 204)
    await execute(await validated(await sms('Hello')), [{ recipient: to(address) }])
    await sendDue()
    assert.equal(received(number).length, 1)
  })

  test('a number refused by the network is a hard bounce, and the next message is cancelled', async () => {
    const { address, number } = await person()
    gateway.plan(number, { result: 'refused', enhanced: '5.1.1', reply: 'ESME_RINVDSTADR' })
    const id = await validated(await sms('Hello'))
    const { body } = await execute(id, [{ recipient: to(address) }])
    await sendDue()
    const events = await eventsOf(id, body[0].id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['execution', 'activation', 'bounce'],
    )
    const { status, analysis } = events[2]!.source.detail.bounce
    assert.deepEqual([status.type, status.code.enhanced, analysis.verdict], ['sync', '5.1.1', 'hard'])
    assert.deepEqual(analysis.subject, { type: 'address', detail: { type: 'bad destination mailbox address' } })
    const again = await execute(id, [{ recipient: to(address) }])
    await sendDue()
    assert.deepEqual(await cancellation(id, again.body[0].id), { type: 'bounce', value: { field: phone.id } })
  })
})

suite('an SMS campaign', () => {
  test('sends once to each number and reports contacts with the same number', async () => {
    const [one, two] = [await person(), await person()]
    const three = await person(one.number)
    const segment = await stage.segment([one.id, two.id, three.id])
    const id = await sms('Sale {{ contact.Email }}', {
      type: 'smsCampaign',
      scheduler: { type: 'asap', segments: { selected: [segment] } },
    })
    await validated(id)
    await settle()
    await settle()
    assert.deepEqual([received(one.number).length, received(two.number).length], [1, 1])
    const { monitor } = await get(id)
    assert.deepEqual([await state(id), monitor.recipients, monitor.sent, monitor.cancelled], [60, 3, 2, 1])
    const events: Shown[] = (await call('GET', `/actions/${id}/events/cancellations`)).body
    const cancelled = events.map(({ source }) => [source.type, source.detail.cancellation])
    assert.deepEqual(cancelled, [['sms', { type: 'duplicate address', value: { contact: one.id } }]])
  })
})

suite('links in SMS texts', () => {
  test('are short, redirect and are tracked', async () => {
    const { address, number } = await person()
    const id = await validated(
      await sms('See {{ "https://shop.example/sale?a=1" | tracked: "sale" }} or {{ links.unsubscribe }}'),
    )
    await execute(id, [{ recipient: to(address) }])
    await sendDue()
    const text = received(number)[0]?.text ?? ''
    const found = /^See (\S+\/s\/[0-9A-Za-z]{10}) or (\S+\/s\/[0-9A-Za-z]{10})$/.exec(text)
    assert.ok(found, text)
    const [link = '', leave = ''] = found.slice(1)
    const followed = await call('GET', new URL(link).pathname)
    assert.deepEqual([followed.status, followed.headers.location], [302, 'https://shop.example/sale?a=1'])
    const left = await call('GET', new URL(leave).pathname)
    assert.equal(left.status, 302)
    assert.match(String(left.headers.location), /\/t\/u\//)
    assert.equal((await call('GET', '/s/0000000000')).status, 404)
    const { rows } = await context.pool.query(
      'select link, kind, target from short_links where source is not null order by kind',
    )
    assert.ok(rows.some(({ kind, target }) => kind === 'redirection' && target === 'https://shop.example/sale?a=1'))
    // Its page is named by a token of the kind of source that the short link has.
    const kindOf = (location: unknown) =>
      parseLinkToken(context.tokens, String(location).split('/t/u/')[1] ?? '', 'unsubscribe')?.sourceKind
    assert.equal(kindOf(left.headers.location), 'action')
    await context.pool.query(`update short_links set source_kind = 'rcs' where code = $1`, [leave.split('/s/')[1]])
    assert.equal(kindOf((await call('GET', new URL(leave).pathname)).headers.location), 'rcs')
  })
})
