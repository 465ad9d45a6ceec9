import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { type AnySend, createActivationEvent } from '../../../src/features/events/record/record.ts'
import { createUuidV7, formatContactId } from '../../../src/lib/ids.ts'
import { type PostedEvent, postEvent, rbmEvents } from '../../fakes/rcs/rbm-peer-webhook.ts'
import type { Harness, TestAccount } from '../harness.ts'

export const CLIENT_TOKEN = 'token-of-the-webhook'
export const AGENT = 'orchard_fr_k2'

/** What RBM sends and reads of one installation, and what is made for it. */
export interface HookStage {
  /** Where the service listens. */
  origin: string
  makeProfile(more?: object, key?: string): Promise<{ id: number; url: string }>
  /** Makes a contact with a phone of its own, or the one given; gives its number, its id and the phone. */
  makeContact(phone?: string, owner?: TestAccount): Promise<{ contact: number; id: string; phone: string }>
  /** Records the activation of a message; gives its send. */
  activated(to: { contact: number; phone: string }, more?: Partial<AnySend>): Promise<AnySend>
  /** As `activated`, without recording anything. */
  sendOf(to: { contact: number; phone: string }, more?: Partial<AnySend>): AnySend
  record(send: AnySend): Promise<void>
  source: number
}

let made = 0

async function makeField({ call }: Harness, { key }: TestAccount): Promise<number> {
  const { body, text } = await call('POST', '/fields', { key, body: { type: 'phone', name: 'Mobile' } })
  assert.ok(body?.id, text)
  return body.id
}

async function makeSource({ context: { db } }: Harness, account: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${account}, 'rcsMessage', 'Pear week', 50, 1, id, '{}', '{}', now(), now() from categories where account = ${account} limit 1
    returning id`.execute(db)
  return rows[0]!.id
}

/** Listens on a socket, and makes what the webhook tells of. */
export async function startHookStage(harness: Harness): Promise<HookStage> {
  const { app, call, context, own, other } = harness
  const fields = new Map([
    [own.account, await makeField(harness, own)],
    [other.account, await makeField(harness, other)],
  ])
  const source = await makeSource(harness, own.account)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })

  function sendOf({ contact, phone }: { contact: number; phone: string }, more: Partial<AnySend> = {}): AnySend {
    const id = createUuidV7(Date.now())
    const stamp = { time: Date.now(), id, thread: id, set: id }
    const footprint = {
      type: 'footprint',
      id: formatContactId(contact),
      unicity: 'a@shop.test',
      hash: '0'.repeat(32),
    } as const
    const of = { account: own.account, channel: 'rcs', sourceKind: 'rcs', source, kind: 'message' } as const
    const rcs = { phone, agent: AGENT, profile: 1 }
    return { ...of, contact, footprint, field: fields.get(own.account)!, stamp, rcs, ...more }
  }

  async function record(send: AnySend): Promise<void> {
    const address = send.rcs?.phone ?? ''
    await recordEvents(context.db, [
      createActivationEvent(send, { address, gateway: { name: 'google-rbm', message: send.stamp.id } }),
    ])
  }

  return {
    origin,
    source,
    sendOf,
    record,
    async makeProfile(more = {}, key = own.key) {
      const provider = { type: 'google-rbm', clientToken: CLIENT_TOKEN }
      const body = { name: `Orchard ${++made}`, agent: AGENT, provider, ...more }
      const answer = await call('POST', '/channel/rcs/profiles', { key, body })
      assert.equal(answer.status, 200, answer.text)
      return { id: answer.body.id, url: origin + new URL(answer.body.webhook.url).pathname }
    },
    async makeContact(phone = `+336020${String(++made).padStart(5, '0')}`, owner = own) {
      const body = { Email: `hook${++made}@shop.test`, Mobile: phone }
      const answer = await call('POST', '/targets', { key: owner.key, body })
      assert.ok(answer.body?.id, answer.text)
      return { id: answer.body.id, contact: Number.parseInt(answer.body.id, 36), phone }
    },
    async activated(to, more) {
      const send = sendOf(to, more)
      await record(send)
      return send
    },
  }
}

/** Posts what a phone or RBM does about an agent, signed; asserts the answer. */
export function reporter(url: string, agentId: string = AGENT) {
  const post = async (event: object, how: Partial<PostedEvent> = {}, status = 200): Promise<object> => {
    const answer = await postEvent(url, event, { clientToken: CLIENT_TOKEN, ...how })
    assert.equal(answer.status, status, answer.text)
    if (status === 200) assert.equal(answer.text, '')
    return event
  }
  const { user, server, message } = rbmEvents
  return {
    post,
    /** What happened to a message at a phone. */
    user: (eventType: string, senderPhoneNumber: string, messageId?: string) =>
      post(user(eventType, { agentId, senderPhoneNumber, ...(messageId !== undefined && { messageId }) })),
    server: (eventType: string, phoneNumber: string, messageId: string) =>
      post(server(eventType, { agentId, phoneNumber, messageId })),
    /** What a person says: `text`, `userFile`, `location` or `suggestionResponse`. */
    says: (content: object, senderPhoneNumber: string) => post(message(content, { agentId, senderPhoneNumber })),
  }
}

/** An id of no message. */
export const noMessage = (): string => randomUUID()
