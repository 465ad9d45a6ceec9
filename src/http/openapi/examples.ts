import { readFileSync } from 'node:fs'
import type { OpenApiDocument, OpenApiJson, OpenApiMedia, OpenApiOperation } from './document.ts'
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

/** An answer of an operation, where other operations have the same response. */
interface SharedAnswer {
  operation: OpenApiOperation
  body: OpenApiJson
}

/** Members that tell bodies of one schema apart, such as events of several kinds. */
const KIND_NAMES = ['type', 'kind']

/** The kinds that a body names, with the way to each. */
function* listKinds(body: OpenApiJson | undefined, way = ''): Generator<string> {
  if (typeof body !== 'object' || body === null) return
  const isList = Array.isArray(body)
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && KIND_NAMES.includes(name)) yield `${way}/${name}=${value}`
    yield* listKinds(value, `${way}/${isList ? '-' : name}`)
  }
}

/** Shows the answers of operations that share a response: the first one, or one of each kind under the name of its operation. */
function setAnswers(media: OpenApiMedia, answers: readonly SharedAnswer[]): void {
  const byKinds = new Map(
    answers.toReversed().map((answer) => [[...new Set(listKinds(answer.body))].sort().join(), answer]),
  )
  const [first, ...others] = [...byKinds.values()].toReversed()
  if (others.length === 0) media.example ??= first!.body
  else
    media.examples ??= Object.fromEntries(
      [first!, ...others].map(({ operation, body }) => [
        operation.operationId!,
        { summary: operation.summary, value: body },
      ]),
    )
}

/** Adds what each operation is sent and answers. */
export function addOperationExamples(document: OpenApiDocument): void {
  const examples = readOperationExamples()
  const answersByMedia = new Map<OpenApiMedia, SharedAnswer[]>()
  for (const { operation } of listOpenApiOperations(document)) {
    const { request, answer } = examples[operation.operationId!] ?? {}
    const requestMedia = request && operation.requestBody?.content[request.type]
    if (requestMedia) requestMedia.example ??= request.body
    const response = answer && operation.responses[answer.status]
    const media = response && resolveOpenApiResponse(document, response).content?.[answer.type ?? 'application/json']
    if (media) answersByMedia.set(media, [...(answersByMedia.get(media) ?? []), { operation, body: answer.body }])
  }
  for (const [media, answers] of answersByMedia) setAnswers(media, answers)
}
