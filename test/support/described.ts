import { readFileSync } from 'node:fs'
import type { Document, JsonObject, Response } from '../../src/http/description/document.ts'
import { describedPath, operationsOf, responseOf } from '../../src/http/description/document.ts'

/** An answer, as far as the description speaks of it. */
export interface Given {
  method: string
  /** The pattern of the route, as Fastify has it. */
  route: string
  status: number
  /** The header; empty without a body. */
  type: string
  /** The type of the problem, where it is one. */
  problem?: string | undefined
}

/** What is described of an answer: media types; types of problems where these are named, and of `default` the statuses. */
interface Answer {
  media: readonly string[]
  problems: readonly unknown[] | undefined
  statuses: readonly unknown[] | undefined
}

let answers: Map<string, Map<string, Answer>> | undefined

/** The values that a member of a problem may have. */
function valuesOf(response: Response, member: 'type' | 'status'): readonly unknown[] | undefined {
  const parts = response.content?.['application/problem+json']?.schema?.['allOf'] as JsonObject[] | undefined
  const told = (parts?.[1]?.['properties'] as JsonObject | undefined)?.[member] as JsonObject | undefined
  return told?.['enum'] as readonly unknown[] | undefined
}

function answerOf(response: Response): Answer {
  return {
    media: Object.keys(response.content ?? {}),
    problems: valuesOf(response, 'type'),
    statuses: valuesOf(response, 'status'),
  }
}

/** Reads openapi.json once in a process. */
function described(): Map<string, Map<string, Answer>> {
  if (answers) return answers
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document
  answers = new Map(
    operationsOf(document).map(({ method, path, operation }) => [
      `${method.toUpperCase()} ${path}`,
      new Map(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          answerOf(responseOf(document, response)),
        ]),
      ),
    ]),
  )
  return answers
}

/** Whether types of problems are held to the description, too. */
const withTypes = process.env['STENTOR_TEST_PROBLEMS'] === '1'

/** What of an answer is not in the description; undefined when all of it is, or when its path is not one of the interface. */
export function undescribed({ method, route, status, type, problem }: Given): string | undefined {
  const name = `${method === 'HEAD' ? 'GET' : method} ${describedPath(route)}`
  const operation = described().get(name)
  if (!operation) return undefined
  const rest = operation.get('default')
  const answer = operation.get(String(status)) ?? (rest?.statuses?.includes(status) ? rest : undefined)
  if (!answer) return `${name} answers ${status}${problem ? ` (${problem})` : ''}, which is not described`
  if (withTypes && problem && answer.problems && !answer.problems.includes(problem))
    return `${name} answers ${status} of type ${problem}, which is not described`
  if (status === 204 || status === 304) return undefined
  const media = type.split(';', 1)[0]!.trim().toLowerCase()
  if (media === '' || problem || answer.media.includes(media)) return undefined
  return `${name} answers ${status} as ${media}, which is not described`
}
