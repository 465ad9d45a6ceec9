import { randomBytes, randomUUID } from 'node:crypto'
import { createVapidKeys } from '../../../src/lib/crypto/credentials/vapid.ts'
import { createWebhookSecret } from '../../../src/lib/crypto/webhook-signature.ts'
import { type Authority, makeAuthority } from '../../fakes/push/push-certificates.ts'
import type { PushPeer, PushRequest } from '../../fakes/push/push-peer.ts'
import { makeAppleKey, startApnsPeer } from '../../fakes/push/push-peer-apns.ts'
import { type FcmPeer, startFcmPeer } from '../../fakes/push/push-peer-fcm.ts'
import { startHttpPeer } from '../../fakes/push/push-peer-http.ts'
import { makeBrowser, startWebPeer, type WebPeer } from '../../fakes/push/push-peer-web.ts'

export const providerNames = ['firebase', 'apns', 'webpush', 'http'] as const
export type ProviderName = (typeof providerNames)[number]

/** Peers of all push services. */
export interface PushServices {
  peers: { firebase: FcmPeer; apns: PushPeer; webpush: WebPeer; http: PushPeer }
  /** Providers of an application that are known to them. */
  providers: Record<ProviderName, object>
  /** The authority of their certificates, in PEM. */
  authority: string
  /** A route of an application. */
  home: object
  /** The address of a new device at a provider. */
  addressOf(provider: ProviderName): object
  /** The subscription that a request was for. */
  subscriptionOf(provider: ProviderName, request: PushRequest): string
  close(): Promise<unknown>
}

/** The subscription that the body of a request names, however it is packed. */
function named(body: string): string {
  return /"subscription\\*":\\*"([0-9a-f-]{36})/.exec(body)?.[1] ?? ''
}

/** One for the whole process: of two authorities with one name OpenSSL would try the first alone. */
let authorityOfProcess: Authority | undefined

/** Starts peers of all push services. */
export async function startPushServices(): Promise<PushServices> {
  const authority = (authorityOfProcess ??= makeAuthority())
  const tls = authority.server()
  const [key, vapid, secret, browser] = [makeAppleKey(), createVapidKeys(), createWebhookSecret(), makeBrowser()]
  const firebase = await startFcmPeer({ tls })
  const apns = await startApnsPeer({ tls, key })
  const webpush = await startWebPeer({ tls, publicKey: vapid.publicKey, browser })
  const http = await startHttpPeer({ tls, secret })
  const peers = { firebase, apns, webpush, http }
  const certificate = { type: 'p8', value: key.p8, keyId: key.keyId, teamId: key.teamId }
  return {
    peers,
    authority: authority.certificate,
    home: { name: 'home', value: { type: 'literal', value: 'app://home' }, default: true },
    providers: {
      firebase: {
        type: 'firebase',
        key: JSON.stringify(firebase.account),
        baseUrl: firebase.url,
        tokenUrl: `${firebase.url}/token`,
      },
      apns: { type: 'apns', certificate, bundle: 'example.orchard.app', baseUrl: apns.url },
      webpush: { type: 'webpush', ...vapid, subject: 'mailto:push@orchard.example' },
      http: { type: 'http', url: `${http.url}/pushes`, secret },
    },
    addressOf: (provider) =>
      provider === 'webpush'
        ? { type: provider, endpoint: `${webpush.url}/push/${randomUUID()}`, keys: browser.keys }
        : { type: provider, token: randomBytes(32).toString('hex') },
    subscriptionOf: (provider, { body }) =>
      named(provider === 'webpush' ? JSON.stringify(browser.read(body)) : body.toString()),
    close: () => Promise.all(Object.values(peers).map((peer) => peer.close())),
  }
}
