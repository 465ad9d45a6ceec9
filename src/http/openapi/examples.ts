import { readFileSync } from 'node:fs'
import type { OpenApiDocument, OpenApiJson, OpenApiMedia } from './document.ts'
import { listOpenApiOperations, resolveOpenApiResponse } from './document.ts'

/** The request and the answer of an operation; `path` is that of the request. The type of an answer is JSON unless it says otherwise. */
export interface OperationExample {
  path: string
  request?: { type: string; body: OpenApiJson }
  answer?: { status: string; type?: string; body: OpenApiJson }
}

/** Examples by operation, as `scripts/examples.ts` recorded them. Read when the description is made, not at each start. */
export function readOperationExamples(): Record<string, OperationExample> {
  return JSON.parse(readFileSync(new URL('../../../openapi-examples.json', import.meta.url), 'utf8')) as Record<
    string,
    OperationExample
  >
}

const setExample = (media: OpenApiMedia | undefined, body: OpenApiJson): void => {
  if (media) media.example ??= body
}

/** Adds what each operation is sent and answers. An answer that several operations share has that of the first of them. */
export function addOperationExamples(document: OpenApiDocument): void {
  const examples = readOperationExamples()
  for (const { operation } of listOpenApiOperations(document)) {
    const { request, answer } = examples[operation.operationId!] ?? {}
    if (request) setExample(operation.requestBody?.content[request.type], request.body)
    const response = answer && operation.responses[answer.status]
    const type = answer?.type ?? 'application/json'
    if (response) setExample(resolveOpenApiResponse(document, response).content?.[type], answer.body)
  }
}
