import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import pino from 'pino'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import {
  type EventListSubject,
  eventListScopes,
  expandEventLists,
} from '../../../src/features/events/history/scopes.ts'
import type { EventKind } from '../../../src/features/events/kinds/event-kinds.ts'
import { toEventType } from '../../../src/features/events/kinds/event-kinds.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import type { NewEvent } from '../../../src/features/events/record/new-event.ts'
import type { HttpApp } from '../../../src/http/app-type.ts'
import { createUuidV7, parseActionId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'
import { findTraces } from '../../support/traces.ts'

const stage = await startStage()
const { app, call, clock, context, gateway, own, other } = stage
const { db } = context

const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ADDRESS = '203.0.113.77'
const HOUR = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
type AnyEvent = any

async function read(url: string): Promise<AnyEvent[]> {
  const { status, body, text } = await call('GET', url)
  assert.equal(status, 200, `${url}: ${text}`)
  return body
}

let named = 0

interface Sent {
  action: string
  contact: string
  address: string
  /** Addresses of the pixel, of the first link, and of the List-Unsubscribe header. */
  open: string
  link: string
  unsubscribe: string
}

async function execute(action: string, contact: string): Promise<string> {
  const { body, text } = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'id', value: contact } },
  })
  assert.equal(body.type, 'success', text)
  return body.id
}

/** What a mail holds to be followed. */
async function readMail(address: string): Promise<Pick<Sent, 'open' | 'link' | 'unsubscribe'>> {
  const mail = await simpleParser(gateway.to(address).at(-1)!.bytes)
  const url = (kind: string) => new RegExp(`/t/${kind}/[\\w-]{72}`).exec(String(mail.html))?.[0] ?? ''
  const header = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? ''
  return { open: url('o'), link: url('r'), unsubscribe: /\/t\/u\/[\w-]{72}/.exec(header)?.[0] ?? '' }
}

/** Sends one message to a new contact, and lets an hour pass, after which no machine would come. */
async function send(): Promise<Sent> {
  const address = `reader${++named}@shop.example`
  const contact = await stage.contact(address)
  const action = await stage.validated(await stage.action())
  await execute(action, contact)
  await stage.settle()
  clock.advance(HOUR)
  return { action, contact, address, ...(await readMail(address)) }
}

/** A request without a key. */
async function visit(url: string, { from = app, body }: { from?: HttpApp; body?: string } = {}): Promise<number> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const { statusCode } = await from.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    remoteAddress: ADDRESS,
    headers: { 'user-agent': READER, ...(body !== undefined && form) },
    ...(body !== undefined && { payload: body }),
  })
  return statusCode
}

const RCS = { phone: '+33601020304', agent: 'shop_x1_agent' }

/** An event of an RCS message, as its webhook would write it: once per agent, message, event and type. */
function rcsEvent(kind: EventKind, stamp: string, event: string): NewEvent {
  const type = toEventType(kind)
  return {
    account: own.account,
    channel: 'rcs',
    kind,
    subject: 41,
    contact: null,
    stamp,
    thread: stamp,
    isTest: false,
    key: [RCS.agent, stamp, event, type].join(' '),
    detail: { [type]: { stamp: { id: stamp }, event } },
    ...RCS,
  }
}

/** An event of a notification to one subscription, as its sender would write it. */
function pushEvent(kind: EventKind, subscription: string, stamp: string, detail: NewEvent['detail']): NewEvent {
  return {
    account: own.account,
    channel: 'notification',
    kind,
    subject: 12,
    contact: null,
    stamp,
    thread: stamp,
    subscription,
    isTest: false,
    key: [stamp, subscription].join(' '),
    detail,
  }
}

suite('event lists', () => {
  test('return 404 for subjects unknown or of another account on every suffix of every channel', async () => {
    const foreign = async (url: string, body: object): Promise<string> => {
      const answer = await call('POST', url, { body, key: other.key })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    }
    const campaign = await foreign('/display/campaign', { name: 'Foreign' })
    const content = { url: 'https://shop.example/', name: 'Banner', campaign }
    const contact = await foreign('/targets', { Email: 'foreign@shop.example' })
    const ids: Partial<Record<EventListSubject, string[]>> = {
      action: ['000ZZZ', await foreign('/actions', { type: 'mailMessage', name: 'Foreign' })],
      contact: ['0000ZZZZ', contact],
      contactQuery: [''],
      rcsAction: ['999999'],
      notification: ['999999'],
      displayCampaign: ['nothing', campaign],
      displayPlacement: ['nothing', await foreign('/display/placement', { name: 'Foreign' })],
      displayContent: ['nothing', await foreign('/display/content', content)],
    }
    const asked = eventListScopes
      .flatMap(expandEventLists)
      .flatMap(({ path, scope }) =>
        (ids[scope.subject] ?? []).flatMap((id) =>
          scope.subject === 'contactQuery'
            ? ['0000ZZZZ', contact].map((value) => `${path}?id=${value}`)
            : [path.replace(':id', id)],
        ),
      )
    assert.equal(asked.length, 2 * (12 + 10 + 9 + 11 + 2 + 2 + 2) + 8 + 5 + 8 + 5)
    for (const url of asked) assert.equal((await call('GET', url)).status, 404, url)
  })

  test('have neither a root nor impressions for all notifications together', async () => {
    // "events" is read as the id of a notification, which is unknown.
    assert.equal((await call('GET', '/notifications/events')).status, 404)
    assert.equal((await call('GET', '/notifications/events/impressions')).status, 404)
    assert.deepEqual(await read('/notifications/events/activations'), [])
  })
})

suite('a proof', () => {
  test('has its open listed as that of a test, and in neither reactivities nor summaries', async () => {
    const action = await stage.action()
    const address = `proof${++named}@desk.example`
    const body = { fortest: true, mediaForTest: address }
    assert.equal((await call('POST', `/actions/${action}/validation`, { body })).status, 204)
    await stage.settle()
    clock.advance(HOUR)
    assert.equal(await visit((await readMail(address)).open), 200)
    const [open, ...more] = await read(`/actions/${action}/events/hits/open`)
    assert.deepEqual([open.source.detail.activation.kind, more.length], ['test', 0])
    for (const query of ['', '?classification=all'])
      assert.deepEqual(await read(`/actions/${action}/reactivities${query}`), [])
    const accept = 'application/vnd.reactivity.summary+json'
    const summary = await call('GET', `/actions/${action}/reactivities`, { headers: { accept } })
    assert.deepEqual(summary.body.activations, { total: 0, contacts: 0 })
    for (const { kind, total, robots } of summary.body.kinds) assert.equal(total + robots, 0, kind)
  })
})

suite('a reaction', () => {
  test('is found by its own day and by that of its activation, and contains the whole activation', async () => {
    const { action, link } = await send()
    assert.equal(await visit(link), 302)
    const days = Temporal.Now.plainDateISO('UTC').subtract({ months: 1 }).toString().slice(0, 8)
    const [monday, tuesday] = [`${days}01`, `${days}02`]
    const subject = parseActionId(action)
    await context.pool.query("update events set at = $2 where subject = $1 and kind = 'activations'", [subject, monday])
    await context.pool.query(
      "update events set at = $2, activation_at = $3 where subject = $1 and kind = 'hits/redirection'",
      [subject, tuesday, monday],
    )
    const path = `/actions/${action}/reactivities/hits`
    const [click] = await read(`${path}?activationEnd=${tuesday}`)
    assert.deepEqual(await read(`${path}?reactivityEnd=${tuesday}`), [])
    const activations = await read(`/actions/${action}/events/activations`)
    const sent = activations.find(({ source }) => source.detail.activation.kind === 'message')
    assert.deepEqual(click.source.detail.activation, sent.source.detail.activation)
    assert.ok(click.source.detail.activation.gateway.name)
  })

  test('is one event if RCS reports it twice, even at the same time', async () => {
    const stamp = createUuidV7(clock.now())
    const report = () => [rcsEvent('deliveries', stamp, 'ev-1'), rcsEvent('interactions/read', stamp, 'ev-2')]
    const answers = await Promise.all([report(), report(), report()].map((events) => appendEvents(db, events)))
    answers.push(await appendEvents(db, report()))
    for (const place of [0, 1]) assert.equal(answers.filter((written) => written[place] !== undefined).length, 1)
    const events = await read(`/channel/rcs/actions/events/stamp?id=${stamp}`)
    assert.deepEqual(events.map(({ type }) => type).toSorted(), ['delivery', 'interaction'])
  })
})

suite('a refused push', () => {
  test('lists a dead token as an activation and its hard bounce, and bad credentials as a cancellation', async () => {
    const [stamp, later] = [createUuidV7(clock.now()), createUuidV7(clock.now())]
    const [gone, kept] = [createUuidV7(clock.now()), createUuidV7(clock.now())]
    const analysis = { verdict: 'hard', subject: { type: 'address' }, rule: 'push-gone' }
    const code = { enhanced: '5.1.1', gateway: 'UNREGISTERED' }
    const activation = { stamp: { id: stamp }, subscription: gone }
    await appendEvents(db, [
      pushEvent('activations', gone, stamp, { activation }),
      pushEvent('bounces', gone, stamp, { bounce: { status: { type: 'sync', code }, analysis } }),
      pushEvent('cancellations', kept, later, {
        execution: { stamp: { id: later } },
        cancellation: { type: 'configuration', value: { gateway: 'firebase' } },
      }),
    ])
    const [sent] = await read('/notifications/events/activations')
    const [bounce, ...more] = await read('/notifications/events/bounces')
    assert.deepEqual([bounce.source.detail.activation, more.length], [activation, 0])
    assert.ok(sent.id < bounce.id && sent.timestamp < bounce.timestamp)
    assert.deepEqual(await read('/notifications/reactivities/bounces'), [bounce])
    const [cancelled] = await read('/notifications/events/cancellations')
    assert.equal(cancelled.source.detail.cancellation.type, 'configuration')
  })
})

suite('unsubscribing by link', () => {
  test('writes nothing on opening the page, and one hit and one entry on one click, however often repeated', async () => {
    const { action, contact, unsubscribe } = await send()
    const hits = () => read(`/actions/${action}/events/hits?classification=all`)
    const entries = async () => (await read('/targets/redlist/mail')).filter(({ id }) => id === contact)
    assert.equal(await visit(unsubscribe), 200)
    assert.deepEqual([await hits(), await entries()], [[], []])
    const body = 'List-Unsubscribe=One-Click'
    assert.equal(await visit(unsubscribe, { body }), 200)
    const [first, ...more] = await hits()
    assert.deepEqual(first.source.detail.link, { type: 'unsubscribe', via: 'one-click' })
    const [entry] = await entries()
    assert.deepEqual([entry.origin, entry.detail, more.length], [4, { action }, 0])
    clock.advance(HOUR)
    assert.equal(await visit(unsubscribe, { body }), 200)
    assert.deepEqual([await hits(), await entries()], [[first], [entry]])
  })
})

suite('a soft bounce', () => {
  test('does not stop later messages', async () => {
    const address = `full${++named}@shop.example`
    const contact = await stage.contact(address)
    const action = await stage.validated(await stage.action())
    const full = { result: 'refused', code: 552, enhanced: '5.2.2', reply: '552 5.2.2 over quota' } as const
    gateway.plan(address, full, { result: 'accepted' })
    await execute(action, contact)
    await stage.settle()
    const [bounce] = await read(`/actions/${action}/events/bounces`)
    assert.equal(bounce.source.detail.bounce.analysis.verdict, 'soft')
    const next = await execute(action, contact)
    await stage.settle()
    const events = (await read(`/actions/${action}/events`)).filter(({ source: { detail } }) =>
      [detail.execution, detail.activation].some((part) => part?.stamp.id === next),
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['execution', 'activation'],
    )
  })
})

suite('the IP address of a hit', () => {
  test('is truncated before it is stored or logged, and null with "none"', async () => {
    let log = ''
    const lines = new Writable({
      write(chunk, _, done) {
        log += chunk
        done()
      },
    })
    const logged = await buildApiServer({ ...context, log: pino({ level: 'trace' }, lines) }, new Registry())
    try {
      const kept: (string | null)[] = []
      for (const ip of ['truncated', 'none']) {
        assert.equal((await call('PUT', '/settings/events', { body: { ip } })).status, 200)
        const { action, link, open } = await send()
        assert.equal(await visit(link, { from: logged }), 302)
        assert.equal(await visit(open, { from: logged }), 200)
        assert.equal(await visit(`${link}x`, { from: logged }), 404)
        const hits = await read(`/actions/${action}/events/hits`)
        kept.push(...hits.map(({ source }) => source.detail.hit.ip))
      }
      assert.deepEqual(kept, ['203.0.113.0', '203.0.113.0', null, null])
    } finally {
      await logged.close()
      await call('PUT', '/settings/events', { body: { ip: 'truncated' } })
    }
    assert.match(log, /"answered"/)
    assert.equal(log.includes(ADDRESS), false, 'the log holds the address')
    assert.deepEqual(await findTraces({ db, dataDir: stage.dataDir, except: 0 }, [ADDRESS]), [])
  })
})
