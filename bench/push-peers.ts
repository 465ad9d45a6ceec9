import { writeFileSync } from 'node:fs'
import { makeAuthority } from '../test/fakes/push/push-certificates.ts'
import type { PushPeer, PushRequest } from '../test/fakes/push/push-peer.ts'
import { makeAppleKey, startApnsPeer } from '../test/fakes/push/push-peer-apns.ts'
import { startFcmPeer } from '../test/fakes/push/push-peer-fcm.ts'

/** What the program needs to send to the peers. */
export interface PeersReady {
  hosts: string[]
  providers: object[]
}

/** One request as a client posts it. */
export interface PeerPost {
  path: string
  headers: Record<string, string>
  body: string
}

/** What a peer took since it was emptied. */
export interface PeerTaken {
  distinct: number
  faults: number
  posts: PeerPost[]
}

export type PeerName = 'apns' | 'firebase'

/**
 * `count`: how many requests a peer took, which costs it nothing; `take`: the requests themselves, as PeerTaken; `empty`: it
 * forgets them.
 */
export interface PeerQuestion {
  of: PeerName
  what: 'count' | 'take' | 'empty'
}

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
        type: 'apns',
        certificate: { type: 'p8', value, keyId, teamId },
        bundle: 'example.orchard.app',
        baseUrl: peers.apns.url,
      },
      {
        type: 'firebase',
        key: JSON.stringify(account),
        baseUrl: peers.firebase.url,
        tokenUrl: `${peers.firebase.url}/token`,
      },
    ],
  }
  process.on('message', ({ of, what }: PeerQuestion) => {
    if (what === 'empty') peers[of].requests.length = 0
    process.send?.(what === 'take' ? takenBy(peers[of]) : peers[of].requests.length)
  })
  process.once('disconnect', () => process.exit())
  process.send?.(ready)
}

function postOf({ path, headers, body }: PushRequest): PeerPost {
  const own = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  return {
    path,
    headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
    body: body.toString(),
  }
}

/** Requests for one device are one push: each device is sent one at a time. */
function deviceOf({ path, body }: PeerPost): string {
  return path.startsWith('/3/device/') ? path : (/"token":"([^"]*)"/.exec(body)?.[1] ?? '')
}

function takenBy({ requests, faults }: PushPeer): PeerTaken {
  const posts = requests.map(postOf)
  return { distinct: new Set(posts.map(deviceOf)).size, faults: faults.length, posts }
}

await start(process.argv[2] ?? '')
