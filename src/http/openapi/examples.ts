import { readFileSync } from 'node:fs'
import type { Document, Json, Media } from './document.ts'
import { operationsOf, responseOf } from './document.ts'

/** What an operation was sent, and what it answered; `path` is that of the request. */
export interface Example {
  path: string
  request?: { type: string; body: Json }
  answer?: { status: string; body: Json }
}

/** Examples by operation, as `scripts/examples.ts` chose them among what the tests send. Read when the description is made, not at each start. */
export function readExamples(): Record<string, Example> {
  return JSON.parse(readFileSync(new URL('../../../openapi-examples.json', import.meta.url), 'utf8')) as Record<
    string,
    Example
  >
}

const put = (media: Media | undefined, body: Json): void => {
  if (media) media.example ??= body
}

/** Adds what each operation is sent and answers. An answer that several operations share has that of the first of them. */
export function addExamples(document: Document): void {
  const examples = readExamples()
  for (const { operation } of operationsOf(document)) {
    const { request, answer } = examples[operation.operationId!] ?? {}
    if (request) put(operation.requestBody?.content[request.type], request.body)
    const response = answer && operation.responses[answer.status]
    if (response) put(responseOf(document, response).content?.['application/json'], answer.body)
  }
}
