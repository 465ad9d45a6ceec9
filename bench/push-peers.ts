import { writeFileSync } from 'node:fs'
import { makeAuthority } from '../test/fakes/push-certificates.ts'
import type { PushPeer, PushRequest } from '../test/fakes/push-peer.ts'
import { makeAppleKey, startApnsPeer } from '../test/fakes/push-peer-apns.ts'
import { startFcmPeer } from '../test/fakes/push-peer-fcm.ts'

/** What the program needs to send to the peers. */
export interface PeersReady {
  hosts: string[]
  providers: object[]
}

/** What peers took since they were asked before. `sample`: one of the requests. */
export interface PeerCount {
  taken: number
  distinct: number
  faults: number
  sample: { path: string; headers: Record<string, string>; body: string } | undefined
}

export type PeerName = 'apns' | 'firebase'
export type PeerQuestion = { of: PeerName; empty: boolean }

/** The strict peers of the tests for APNs and FCM, in a process of their own: `push-peers.ts FILE`; FILE gets their authority. */
async function start(file: string): Promise<void> {
  const authority = makeAuthority()
  writeFileSync(file, authority.certificate)
  const tls = authority.server()
  const key = makeAppleKey()
  const peers: Record<PeerName, PushPeer> = {
    apns: await startApnsPeer({ tls, key }),
    firebase: await startFcmPeer({ tls }),
  }
  const { account } = peers.firebase as Awaited<ReturnType<typeof startFcmPeer>>
  const { p8: value, keyId, teamId } = key
  const ready: PeersReady = {
    hosts: Object.values(peers).map(({ host }) => host),
    providers: [
      {
        ...{ type: 'apns', certificate: { type: 'p8', value, keyId, teamId } },
        ...{ bundle: 'example.orchard.app', baseUrl: peers.apns.url },
      },
      {
        ...{ type: 'firebase', key: JSON.stringify(account) },
        ...{ baseUrl: peers.firebase.url, tokenUrl: `${peers.firebase.url}/token` },
      },
    ],
  }
  process.on('message', ({ of, empty }: PeerQuestion) => {
    process.send?.(countOf(peers[of]))
    if (empty) peers[of].requests.length = 0
  })
  process.once('disconnect', () => process.exit())
  process.send?.(ready)
}

function sampleOf({ path, headers, body }: PushRequest): PeerCount['sample'] {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  return {
    path,
    headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    body: body.toString(),
  }
}

/** Requests for one device are one push: each device is sent one at a time. */
function deviceOf({ path, body }: PushRequest): string {
  return path.startsWith('/3/device/') ? path : (/"token":"([^"]*)"/.exec(body.toString())?.[1] ?? '')
}

function countOf({ requests, faults }: PushPeer): PeerCount {
  const [first] = requests
  const distinct = new Set(requests.map(deviceOf)).size
  return { taken: requests.length, distinct, faults: faults.length, sample: first && sampleOf(first) }
}

await start(process.argv[2] ?? '')
