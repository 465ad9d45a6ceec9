import {
  makeServiceAccount,
  openTokenEndpoint,
  type ServiceAccountFile,
  type TokenEndpoint,
} from '../rcs/rbm-peer-oauth.ts'
import { type PushAnswer, type PushPeer, type PushPeerOptions, type PushRequest, startPushPeer } from './push-peer.ts'

/** Firebase Cloud Messaging and its token endpoint in one, strict about what it is asked. */
export interface FcmPeer extends PushPeer {
  account: ServiceAccountFile
  tokens: TokenEndpoint
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Members of an object as JSON text, sorted. */
const keysOf = (value: object) => Object.keys(value).sort().join(' ')

/** What is wrong with a message; undefined: nothing. */
function messageFault(body: string): string | undefined {
  const { message, ...rest } = JSON.parse(body)
  if (Object.keys(rest).length > 0 || keysOf(message) !== 'android data token') return 'has other members'
  if (!isText(message.token) || message.token === '') return 'has no token'
  const { android, data } = message
  if (keysOf(android) !== 'priority ttl' || !['NORMAL', 'HIGH'].includes(android.priority)) return 'android is wrong'
  if (!/^\d+s$/.test(android.ttl) || Number.parseInt(android.ttl, 10) > 2_419_200) return 'ttl is wrong'
  if (keysOf(data) !== 'meta render tracking' || !Object.values(data).every(isText)) return 'data is wrong'
  const size = Object.entries(data).reduce((sum, [key, text]) => sum + Buffer.byteLength(`${key}${text}`), 0)
  if (size > 4096) return 'data is too long'
  return JSON.parse(data.meta).redirection === '' ? 'the redirection is empty' : undefined
}

/** An error as FCM gives it: its own code is among the details. */
export function fcmError(status: number, code: string, more: object[] = []): PushAnswer {
  const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: code }, ...more]
  return {
    status,
    body: JSON.stringify({ error: { code: status, message: 'not to be read', status: 'ABORTED', details } }),
  }
}

/** What FCM says of an argument that it does not take. */
export const violationOf = (...fields: string[]) => ({
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: fields.map((field) => ({ field, description: 'not to be read' })),
})

export async function startFcmPeer(
  options: Omit<PushPeerOptions, 'answer'>,
  account = makeServiceAccount('push@project.iam.example'),
): Promise<FcmPeer> {
  let sent = 0
  function answer({ path, method, headers, body }: PushRequest, fault: (text: string) => PushAnswer): PushAnswer {
    if (method === 'GET') return { status: 404, body: '<html></html>' }
    if (path === '/token') {
      const { status, body: said } = tokens.answer(body.toString(), headers['content-type'])
      return { status, body: JSON.stringify(said), headers: { 'content-type': 'application/json' } }
    }
    if (path !== `/v1/projects/${account.project_id}/messages:send`) return fault(`another path: ${path}`)
    if (headers['content-type'] !== 'application/json') return fault('another type')
    if (!tokens.isValid(headers.authorization)) return fcmError(401, 'UNAUTHENTICATED')
    const wrong = messageFault(body.toString())
    if (wrong !== undefined) return fault(wrong)
    return { body: JSON.stringify({ name: `projects/${account.project_id}/messages/0:${++sent}` }) }
  }
  const peer = await startPushPeer({ ...options, answer })
  const scope = 'https://www.googleapis.com/auth/firebase.messaging'
  const tokens = openTokenEndpoint(account, () => `${peer.url}/token`, scope)
  return Object.assign(peer, { account, tokens })
}
