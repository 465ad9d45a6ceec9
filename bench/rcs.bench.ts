import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from '../scripts/demo/client.ts'
import type { BareFetch, BareFetched } from './bare-fetch.ts'
import { median, rounded } from './load.ts'
import { peakRssMb } from './processes.ts'
import type { RbmCount, RbmQuestion, RbmReady } from './rbm-peer-process.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const MESSAGES = 20_000
const ROUNDS = 3
const IN_FLIGHT = 100
const LIMIT_MS = 600_000
const AT_ONCE = 500

interface Stage {
  service: BenchService
  peer: ChildProcess
  bare: ChildProcess
  ready: RbmReady
  size: number
  segment: number
  field: number
}

async function asked<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answer = once(child, 'message')
  child.send(question)
  return (await answer)[0] as Answer
}

const count = ({ peer }: Pick<Stage, 'peer'>, empty = false) => asked<RbmCount>(peer, { empty } satisfies RbmQuestion)

/** Makes contacts with phones of two regions, and a segment of all of them. */
async function prepare({ client }: BenchService, size: number): Promise<Pick<Stage, 'segment' | 'field'>> {
  const { id: field } = await client.call<{ id: number }>('POST', '/fields', { name: 'Mobile', type: 'phone' })
  await client.call('POST', '/fields', { name: 'First name', type: 'textField' })
  for (let from = 0; from < size; from += AT_ONCE) {
    const contacts = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, index) => {
      const n = String(from + index).padStart(6, '0')
      const phone = (from + index) % 2 === 0 ? `+33639${n}` : `+1${from < 10_000 ? 201 : 212}555${n.slice(2)}`
      return { Email: `r${n}@orchard.example`, Mobile: phone, 'First name': `Name${n}` }
    })
    await client.call('PUT', '/targets', contacts)
  }
  const { id: segment } = await client.call<{ id: number }>('POST', '/segments', {
    type: 'dynamic',
    name: 'All',
    criteria: { all: [] },
  })
  return { segment, field }
}

async function profile({ service, ready }: Stage, name: string, check: boolean): Promise<number> {
  const { url, account } = ready
  const provider = { type: 'google-rbm', baseUrl: url, tokenUrl: `${url}/token`, credentials: account }
  const made = await service.client.call<{ id: number }>('POST', '/channel/rcs/profiles', {
    name,
    agent: `orchard_${name}`,
    speed: 0,
    provider,
    capability: { check },
  })
  return made.id
}

/** Sends one campaign to all; ends when it is over. */
async function send(stage: Stage, profile: number): Promise<RbmCount> {
  const { service, field, segment, size } = stage
  const { client } = service
  await count(stage, true)
  const { id } = await client.call<{ id: number }>('POST', '/channel/rcs/actions', {
    type: 'rcsCampaign',
    name: 'Pear week',
    settings: { profile, field, purpose: { type: 'service' } },
    content: {
      type: 'text',
      text: 'Hello {{ contact["First name"] }}, pears are in until Sunday.',
      suggestions: [
        { type: 'openUrl', text: 'See the pears', postback: 'pears', url: 'https://orchard.example/pears' },
      ],
    },
    scheduler: { type: 'asap', segments: { selected: [segment] } },
  })
  await client.call('POST', `/channel/rcs/actions/${id}/validation`)
  await eventually('the campaign', LIMIT_MS, async () => {
    const { state, monitor } = await client.call<{ state: number; monitor: { sent: number } | null }>(
      'GET',
      `/channel/rcs/actions/${id}`,
    )
    return (state === 60 && monitor?.sent === size) || undefined
  })
  const counted = await count(stage)
  if (counted.faults > 0) throw new Error(`${counted.faults} requests are not as expected`)
  return counted
}

/** The same posts by `fetch`, so many at once. */
async function bareRate(stage: Stage, { sample }: RbmCount): Promise<number> {
  if (!sample) throw new Error('the peer accepted no message')
  await count(stage, true)
  const work: BareFetch = { url: stage.ready.url, ...sample, count: stage.size, inFlight: IN_FLIGHT }
  const { milliseconds, refused } = await asked<BareFetched>(stage.bare, work)
  if (refused > 0) throw new Error(`${refused} posts of the bare loop were refused`)
  return (stage.size * 1000) / milliseconds
}

/** Ours and the bare loop in turns. */
async function measure(stage: Stage, profiles: readonly number[], report: (line: string) => void) {
  const rounds: { ours: number; bare: number; lost: number; duplicated: number; lookups: number }[] = []
  for (const [round, id] of profiles.entries()) {
    const counted = await send(stage, id)
    const { taken, distinct, milliseconds, lookups } = counted
    const ours = (taken * 1000) / milliseconds
    const bare = await bareRate(stage, counted)
    report(`round ${round}: ${Math.round(ours)} messages/s, bare ${Math.round(bare)}, look-ups ${lookups}`)
    rounds.push({ ours, bare, lookups, lost: stage.size - distinct, duplicated: taken - distinct })
  }
  return {
    perSecond: Math.round(median(rounds.map(({ ours }) => ours))),
    bare: Math.round(median(rounds.map(({ bare }) => bare))),
    ratio: rounded(median(rounds.map(({ ours, bare }) => ours / bare))),
    lookups: rounds.reduce((sum, { lookups }) => sum + lookups, 0),
    lost: rounds.reduce((sum, { lost }) => sum + lost, 0),
    duplicated: rounds.reduce((sum, { duplicated }) => sum + duplicated, 0),
  }
}

/**
 * Rich messages a second to a strict peer, each made for its contact, journaled and recorded, against a loop of `fetch` that
 * posts the same bodies, 100 at once; then the same with look-ups of what phones can take. At least 0.6 and 0.5.
 */
export const benchmark: Benchmark = async (report, size = MESSAGES) => {
  const peer = fork(new URL('rbm-peer-process.ts', import.meta.url))
  const [ready] = (await once(peer, 'message')) as [RbmReady]
  // Read by the processes that are started from now on.
  process.env['STENTOR_OUTGOING_ALLOW'] = ready.host
  const bare = fork(new URL('bare-fetch.ts', import.meta.url))
  const service = await startBenchService()
  try {
    const stage: Stage = { service, peer, bare, ready, size, ...(await prepare(service, size)) }
    const plain = await profile(stage, 'plain', false)
    await send(stage, plain)
    const without = await measure(stage, Array(ROUNDS).fill(plain), report)
    // What a profile has asked is kept: each round has one of its own.
    const checked = []
    for (let n = 0; n < ROUNDS; n++) checked.push(await profile(stage, `checked${n}`, true))
    const campaigns = await measure(stage, checked, report)
    return {
      messages: size,
      perSecond: without.perSecond,
      fetchPerSecond: without.bare,
      ratioToFetch: without.ratio,
      campaignPerSecond: campaigns.perSecond,
      campaignRatioToFetch: campaigns.ratio,
      lookups: campaigns.lookups,
      peakRssMb: peakRssMb(service.pid),
      lost: without.lost + campaigns.lost,
      duplicated: without.duplicated + campaigns.duplicated,
    }
  } finally {
    await service.stop()
    peer.disconnect()
    bare.disconnect()
  }
}
