import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listOpenApiOperations, type OpenApiDocument, resolveOpenApiParameter } from '../src/http/openapi/document.ts'

/** Writes the operations of the Python and the PHP client from openapi.json; with --check exits 1 when they differ. */
const FILES = [
  { file: 'clients/python/stentor/operations.py', write: writePython },
  { file: 'clients/php/src/Operations.php', write: writePhp },
]

/** An operation as a method of a thin client. */
interface ThinOperation {
  id: string
  summary: string
  /** In upper case. */
  method: string
  path: string
  pathParameters: string[]
  queryParameters: string[]
  /** Presence of a body in the request. */
  body: 'none' | 'optional' | 'required'
}

/** The stream is written by hand: it goes on where a lost connection was. */
const BY_HAND = new Set(['GET /events/stream'])

function listThinOperations(document: OpenApiDocument): ThinOperation[] {
  return listOpenApiOperations(document).flatMap(({ method: lowerCase, path, operation }) => {
    const method = lowerCase.toUpperCase()
    if (BY_HAND.has(`${method} ${path}`)) return []
    const parameters = (operation.parameters ?? []).map((parameter) => resolveOpenApiParameter(document, parameter))
    const { requestBody } = operation
    const body = requestBody ? (requestBody.required ? 'required' : 'optional') : 'none'
    return {
      id: operation.operationId!,
      summary: operation.summary!,
      method,
      path,
      // In the order of the path, which is that of arguments.
      pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      queryParameters: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      body,
    }
  })
}

const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The documentation of a method: its purpose, the request, and its query parameters. */
function listNotes({ summary, method, path, queryParameters }: ThinOperation): string[] {
  const notes = [`${summary}.`, '', `\`${method} ${path}\``]
  return queryParameters.length > 0 ? [...notes, '', `Query: ${queryParameters.join(', ')}.`] : notes
}

function writePythonMethod(operation: ThinOperation): string {
  const { id, method, path, pathParameters, body } = operation
  const paths = pathParameters.map(toSnakeCase)
  const bodyArgument = { none: [], optional: ['body: Any = None'], required: ['body: Any'] }[body]
  const parameters = ['self', ...paths.map((name) => `${name}: Id`), ...bodyArgument, '**options: Any']
  const values = pathParameters.map((name, index) => `'${name}': ${paths[index]}`)
  const requestArguments = [
    `'${method}'`,
    `'${path}'`,
    `{${values.join(', ')}}`,
    ...(body === 'none' ? [] : ['body=body']),
  ]
  return [
    `    def ${toSnakeCase(id)}(${parameters.join(', ')}) -> Any:`,
    `        """${listNotes(operation).join('\n        ').replaceAll(/ +$/gm, '')}\n        """`,
    `        return self.request(${requestArguments.join(', ')}, **options)`,
  ].join('\n')
}

function writePython(operations: readonly ThinOperation[]): string {
  return `"""A method for each operation of the interface. Generated from openapi.json: do not edit."""

from typing import Any, Union

Id = Union[int, str]


class Operations:
    """The operations of Stentor. \`options\` are those of \`Stentor.request\`: query, headers, timeout and others."""

    def request(self, method: str, path: str, path_values: Any = None, body: Any = None, **options: Any) -> Any:
        raise NotImplementedError

${operations.map(writePythonMethod).join('\n\n')}
`
}

function writePhpMethod(operation: ThinOperation): string {
  const { id, method, path, pathParameters, body } = operation
  const bodyArgument = { none: [], optional: ['mixed $body = null'], required: ['mixed $body'] }[body]
  const parameters = [...pathParameters.map((name) => `int|string $${name}`), ...bodyArgument, 'array $options = []']
  const values = pathParameters.map((name) => `'${name}' => $${name}`)
  const requestArguments = [
    `'${method}'`,
    `'${path}'`,
    `[${values.join(', ')}]`,
    body === 'none' ? 'null' : '$body',
    '$options',
  ]
  const notes = listNotes(operation).map((note) => (note === '' ? '     *' : `     * ${note}`))
  return [
    `    /**\n${notes.join('\n')}\n     */`,
    `    public function ${id}(${parameters.join(', ')}): mixed`,
    '    {',
    `        return $this->request(${requestArguments.join(', ')});`,
    '    }',
  ].join('\n')
}

function writePhp(operations: readonly ThinOperation[]): string {
  return `<?php

declare(strict_types=1);

namespace Stentor;

/**
 * A method for each operation of the interface. Generated from openapi.json: do not edit.
 *
 * \`$options\` are those of \`Client::request\`: query, headers, timeout and others.
 */
abstract class Operations
{
    abstract public function request(string $method, string $path, array $pathValues = [], mixed $body = null, array $options = []): mixed;

${operations.map(writePhpMethod).join('\n\n')}
}
`
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const operations = listThinOperations(JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument)
for (const { file, write } of FILES) {
  const text = write(operations)
  if (!values.check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} does not match openapi.json: run "npm run openapi"\n`)
    process.exitCode = 1
  }
}
