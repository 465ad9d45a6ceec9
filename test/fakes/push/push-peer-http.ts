import { Webhook } from 'standardwebhooks'
import { type PushAnswer, type PushPeer, type PushPeerOptions, type PushRequest, startPushPeer } from './push-peer.ts'

/** A receiver that takes what is signed with its secret, as another implementation of Standard Webhooks checks it. */
export function startHttpPeer({
  secret,
  ...options
}: Omit<PushPeerOptions, 'answer'> & { secret: string }): Promise<PushPeer> {
  const webhook = new Webhook(secret)
  function answer({ headers, body }: PushRequest, fault: (text: string) => PushAnswer): PushAnswer {
    try {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
      webhook.verify(body, Object.fromEntries(names.map((name) => [name, String(headers[name])])))
    } catch (error) {
      fault(String(error))
      return { status: 401 }
    }
    const keys = Object.keys(JSON.parse(body.toString())).join(' ')
    return keys === 'token subscription expiration meta render tracking' ? { status: 204 } : fault(keys)
  }
  return startPushPeer({ ...options, answer })
}
