import type { Document, Json, Media, Reference, Response } from './document.ts'
import { operationsOf } from './document.ts'
import recorded from './examples.json' with { type: 'json' }

/** What an operation was sent, and what it answered; `path` is that of the request. */
export interface Example {
  path: string
  request?: { type: string; body: Json }
  answer?: { status: string; body: Json }
}

/** Examples by operation, as `scripts/examples.ts` chose them among what the tests send. */
export const examples = recorded as Record<string, Example>

function isReference(response: Response | Reference): response is Reference {
  return '$ref' in response
}

const put = (media: Media | undefined, body: Json): void => {
  if (media) media.example ??= body
}

/** Adds what each operation is sent and answers. An answer that several operations share has that of the first of them. */
export function addExamples(document: Document): void {
  for (const { operation } of operationsOf(document)) {
    const { request, answer } = examples[operation.operationId!] ?? {}
    if (request) put(operation.requestBody?.content[request.type], request.body)
    const response = answer && operation.responses[answer.status]
    if (!response) continue
    const part = isReference(response) ? document.components.responses?.[response.$ref.split('/').at(-1)!] : response
    put(part?.content?.['application/json'], answer.body)
  }
}
