import { createHmac, randomUUID } from 'node:crypto'

/** How an event is posted: signed over the decoded data as it must be, or wrongly. */
export interface PostedEvent {
  clientToken: string
  /** `raw`: over the body of the request; `none`: no header. */
  sign?: 'decoded' | 'raw' | 'none'
  attributes?: Record<string, string>
  headers?: Record<string, string>
}

const LIMIT_MS = 10_000

/** The body and the headers of a request to a webhook. */
export function webhookRequest(
  event: object,
  { clientToken, sign = 'decoded', attributes = {}, headers = {} }: PostedEvent,
): { body: string; headers: Record<string, string> } {
  const data = Buffer.from(JSON.stringify(event))
  const message = {
    attributes: { product: 'RBM', type: 'message', ...attributes },
    data: data.toString('base64'),
    messageId: randomUUID(),
    publishTime: new Date().toISOString(),
  }
  const body = JSON.stringify({ message, subscription: 'projects/rbm/subscriptions/webhook' })
  const signature = createHmac('sha512', clientToken)
    .update(sign === 'raw' ? body : data)
    .digest('base64')
  const signed: Record<string, string> = sign === 'none' ? {} : { 'x-goog-signature': signature }
  return { body, headers: { 'content-type': 'application/json', ...signed, ...headers } }
}

/** Posts an event as the platform does; answers the status and the body. */
export async function postEvent(
  url: string,
  event: object,
  how: PostedEvent,
): Promise<{ status: number; text: string }> {
  const { body, headers } = webhookRequest(event, how)
  const answer = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(LIMIT_MS) })
  return { status: answer.status, text: await answer.text() }
}

/** Asks a webhook for its handshake. */
export async function postHandshake(url: string, clientToken: string, secret: string) {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ clientToken, secret }),
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') }
}

/** Events as phones and the platform make them. */
export const rbmEvents = {
  user: (eventType: string, more: { agentId: string; senderPhoneNumber: string; messageId?: string }) => ({
    eventType,
    eventId: randomUUID(),
    sendTime: new Date().toISOString(),
    ...more,
  }),
  server: (eventType: string, more: { agentId: string; phoneNumber: string; messageId: string }) => ({
    eventType,
    eventId: randomUUID(),
    sendTime: new Date().toISOString(),
    ...more,
  }),
  /** `content`: text, userFile, location or suggestionResponse. */
  message: (content: object, more: { agentId: string; senderPhoneNumber: string }) => ({
    messageId: `MxX${randomUUID()}`,
    sendTime: new Date().toISOString(),
    ...more,
    ...content,
  }),
}
