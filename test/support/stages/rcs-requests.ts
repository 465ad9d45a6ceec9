import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Stage, startStage } from './stage.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer.
type Body = any

const PATH = '/channel/rcs/actions'

/** The stage with what RCS actions need around them. */
export interface RcsRequests extends Stage {
  /** The field that holds the phone. */
  field: number
  profile: number
  makeProfile(more?: object, key?: string): Promise<number>
  /** Makes a contact with a phone; gives its id. */
  phone(address: string, number: string | null): Promise<string>
  /** Makes an action that is complete, unless `more` says otherwise; gives its id. */
  rcs(more?: object): Promise<number>
  /** Makes an action in state 50; gives its id. */
  ready(more?: object): Promise<number>
  ask(
    method: string,
    path: string | number,
    body?: unknown,
    options?: object,
  ): Promise<Awaited<ReturnType<Stage['call']>>>
  /** The events of an action, oldest first. */
  events(action: number): Promise<Body[]>
}

/** A contact named by its unicity. */
export function to(address: string) {
  return { type: 'unicity', value: [address] }
}

/** A contact as results show it. */
export function footprint(id: string, address: string) {
  return { type: 'footprint', id, unicity: address, hash: createHash('md5').update(address).digest('hex') }
}

/** Starts a stage with a field for phones and a profile that captures. */
export async function startRcsRequests(): Promise<RcsRequests> {
  const stage = await startStage()
  const { call, own, contact, gateway, sender } = stage
  // Every profile's gateway is the one that records.
  sender.gateways = { ...sender.gateways, named: async () => gateway }
  async function made(url: string, body: object, key: string = own.key): Promise<Body> {
    const answer = await call('POST', url, { body, key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  await call('PUT', '/settings/sending', { body: { stopMention: 'STOP 36000' } })
  let count = 0
  const makeProfile = async (more: object = {}, key?: string): Promise<number> => {
    const body = { name: `Orchard ${++count}`, agent: 'orchard_fr_k2', provider: { type: 'capture' }, ...more }
    return (await made('/channel/rcs/profiles', body, key)).id
  }
  const { id: field } = await made('/fields', { name: 'Mobile', type: 'phone' })
  const profile = await makeProfile({ fallback: { type: 'sms', sender: 'ORCHARD' } })
  const ask: RcsRequests['ask'] = (method, path, body, options = {}) =>
    call(method, `${PATH}/${path}`, { ...(body !== undefined && { body }), ...options })
  const rcs = async (more: object = {}): Promise<number> => {
    const whole = { settings: { profile, field }, content: { type: 'text', text: 'Hello {{ data.name }}' } }
    return (await made(PATH, { type: 'rcsMessage', name: 'Pear week', ...whole, ...more })).id
  }
  return {
    ...stage,
    field,
    profile,
    makeProfile,
    ask,
    rcs,
    phone: (address, number) => contact(address, { Mobile: number }),
    async ready(more) {
      const id = await rcs(more)
      const validated = await ask('POST', `${id}/validation`)
      assert.equal(validated.status, 204, validated.text)
      return id
    },
    events: async (action) => (await ask('GET', `${action}/events`)).body,
  }
}
