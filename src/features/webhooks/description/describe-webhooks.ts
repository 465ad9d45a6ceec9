import {
  type OpenApiJson,
  type OpenApiObject,
  type OpenApiOperation,
  openApiSchemaRef,
} from '../../../http/openapi/document.ts'
import { eventKindTable } from '../../events/kinds/event-kinds.ts'
import { noticeTypes } from '../../notices/notices.ts'
import { webhookEventType } from '../bodies.ts'
import { eventDetailMembers, eventDetailSchema, eventDetailSchemas } from './event-detail-schemas.ts'
import webhookExamples from './webhook-examples.json' with { type: 'json' }
import { eventWebhookTexts, noticeWebhookTexts, type WebhookText } from './webhook-texts.ts'

/** Events of histories are this component of the description. */
const contactEventRef = openApiSchemaRef('ContactEvent')
const changeNoticeRef = openApiSchemaRef('ChangeNotice')
const dateMember: OpenApiObject = {
  type: 'string',
  format: 'date-time',
  description: 'Time of the record, in UTC. Absent for older webhooks.',
}
const uuidSchema: OpenApiObject = { type: 'string', format: 'uuid' }

/** Members of the record of an event in addition to those of histories. */
const recordMembers: OpenApiObject = {
  type: 'object',
  properties: {
    event: { type: 'string', description: 'Kind of the event. Absent for older webhooks.' },
    date: dateMember,
  },
}

const openDataSchema: OpenApiObject = { type: 'object', additionalProperties: true }

/** Change notices and custom events. */
const changeNoticeSchema: OpenApiObject = {
  type: 'object',
  description: 'Notice of a change, or an event that a workflow or script published. It holds no values of contacts.',
  required: ['type', 'id', 'timestamp', 'contact', 'data', 'stamp', 'depth'],
  properties: {
    event: {
      type: 'string',
      description: 'Word of `events` that selects the notice. Absent for older webhooks.',
    },
    date: dateMember,
    type: { type: 'string', enum: ['custom', ...noticeTypes], description: 'Type of the notice.' },
    name: { type: 'string', description: 'Name of a custom event. Absent for change notices.' },
    id: { ...uuidSchema, description: 'ID of the notice, a UUID of version 7.' },
    timestamp: { type: 'integer', description: 'Time of publication, in milliseconds since 1970.' },
    contact: { type: ['string', 'null'], description: 'ID of the contact. Null: none.' },
    data: { ...openDataSchema, description: 'IDs of what changed, by the type; data of a custom event.' },
    stamp: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Stamp of the workflow run that made the change. Null: none.',
    },
    depth: { type: 'integer', description: 'Number of workflows that led to the change; 0 for all else.' },
  },
}

const buildBodySchema = (types: readonly string[], data: OpenApiObject, timestampText?: string): OpenApiObject => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', enum: [...types], description: 'Type of the request.' },
    timestamp: {
      type: 'string',
      format: 'date-time',
      description: timestampText ?? 'Time of publication, in UTC.',
    },
    data,
  },
})

const parameterNames = ['WebhookIdHeader', 'WebhookTimestampHeader', 'WebhookSignatureHeader']

function buildOperation(
  name: keyof typeof webhookExamples,
  [summary, description]: WebhookText,
  schema: OpenApiObject,
): Record<string, OpenApiOperation> {
  const words = name.split(/[/.]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return {
    post: {
      operationId: `receive${words.join('')}`,
      summary,
      description,
      tags: ['webhooks'],
      security: [],
      parameters: parameterNames.map((parameter) => ({ $ref: `#/components/parameters/${parameter}` })),
      requestBody: {
        required: true,
        description: 'JSON in UTF-8.',
        content: { 'application/json': { schema, example: webhookExamples[name] as OpenApiJson } },
      },
      responses: {
        '2XX': { $ref: '#/components/responses/WebhookAccepted' },
        '4XX': { $ref: '#/components/responses/WebhookRefused' },
        default: { $ref: '#/components/responses/WebhookFailed' },
      },
    },
  }
}

function describeEventWebhooks(): Record<string, Record<string, OpenApiOperation>> {
  const entries = eventKindTable.map(({ kind, type, channels }) => {
    const members = eventDetailMembers[type]
    const data: OpenApiObject = {
      description: 'Record of the event, as in histories.',
      allOf: [
        contactEventRef,
        {
          type: 'object',
          properties: {
            event: { type: 'string', enum: [kind], description: 'Kind of the event. Absent for older webhooks.' },
            date: dateMember,
            type: { type: 'string', enum: [type], description: 'Type of the event.' },
            source: {
              type: 'object',
              description: 'Origin of the event.',
              properties: {
                type: { type: 'string', enum: [...channels], description: 'Channel of the event.' },
                detail: {
                  type: 'object',
                  description: 'Detail of the event.',
                  required: Object.keys(members),
                  properties: members,
                },
              },
            },
          },
        },
      ],
    }
    const types = channels.map((channel) => webhookEventType({ channel, kind }))
    return [kind, buildOperation(kind, eventWebhookTexts[kind], buildBodySchema(types, data))] as const
  })
  return Object.fromEntries(entries)
}

function buildNoticeData(type: string, required: readonly string[] = []): OpenApiObject {
  const typeMember: OpenApiObject = { type: 'string', enum: [type], description: 'Type of the notice.' }
  return {
    description: 'Notice.',
    allOf: [changeNoticeRef, { type: 'object', required: [...required], properties: { type: typeMember } }],
  }
}

const customText: WebhookText = [
  'Receive a custom event',
  'A node `publish` of a workflow or `events.publish` of a script published an event.',
]
const batchText: WebhookText = [
  'Receive a batch of events',
  'Several events and notices in one request, for webhooks with `batch.size` above 1.',
]
const testText: WebhookText = ['Receive a test', 'Sent by `POST /webhooks/{id}/test`.']

/** The requests that a webhook receives, by the words of its list `events`; `events` is a batch, `test` a test. */
export function describeWebhooks(): Record<string, Record<string, OpenApiOperation>> {
  const noticeWebhooks = noticeTypes.map((type) => {
    const schema = buildBodySchema([type], buildNoticeData(type))
    return [type, buildOperation(type, noticeWebhookTexts[type], schema)] as const
  })
  const batchData: OpenApiObject = {
    type: 'array',
    description: 'Events and notices, oldest first; each is the `data` of a request with one of them.',
    items: { anyOf: [{ allOf: [contactEventRef, recordMembers] }, changeNoticeRef] },
  }
  const testData: OpenApiObject = {
    type: 'object',
    description: 'Webhook that is tested.',
    required: ['webhook'],
    properties: { webhook: { ...uuidSchema, description: 'ID of the webhook.' } },
  }
  return {
    ...describeEventWebhooks(),
    custom: buildOperation('custom', customText, buildBodySchema(['custom'], buildNoticeData('custom', ['name']))),
    ...Object.fromEntries(noticeWebhooks),
    events: buildOperation(
      'events',
      batchText,
      buildBodySchema(['events'], batchData, 'Time at which the batch was put together, in UTC.'),
    ),
    test: buildOperation('test', testText, buildBodySchema(['test'], testData, 'Time of the test, in UTC.')),
  }
}

/** The components that requests to webhooks refer to. */
export const webhookComponents = {
  schemas: { ChangeNotice: changeNoticeSchema, EventDetail: eventDetailSchema, ...eventDetailSchemas },
  parameters: {
    WebhookIdHeader: {
      name: 'webhook-id',
      in: 'header',
      required: true,
      description: 'ID of the event or of the batch; the same on every retry and replay.',
      schema: uuidSchema,
    },
    WebhookTimestampHeader: {
      name: 'webhook-timestamp',
      in: 'header',
      required: true,
      description: 'Time of this attempt, in seconds since 1970.',
      schema: { type: 'integer' },
    },
    WebhookSignatureHeader: {
      name: 'webhook-signature',
      in: 'header',
      required: true,
      description:
        '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the secret (Standard Webhooks). Two of them, separated by a blank, for 24 hours after a rotation of the secret.',
      schema: { type: 'string' },
    },
  },
  responses: {
    WebhookAccepted: { description: 'Delivered. The answer has to arrive within 15 seconds; its body is ignored.' },
    WebhookRefused: {
      description:
        'Retried for up to 72 hours, at growing intervals. 410 suspends the webhook; `Retry-After` of 429 delays all its requests, for at most an hour.',
    },
    WebhookFailed: {
      description:
        'Retried for up to 72 hours, at growing intervals, as without an answer within 15 seconds. Redirects are not followed; `Retry-After` of 503 delays all requests of the webhook, for at most an hour.',
    },
  },
}
