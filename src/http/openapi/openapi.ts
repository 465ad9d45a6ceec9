import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import type { HttpApp } from '../app-type.ts'
import { buildOpenApiDocument } from './describe.ts'
import { type OpenApiDocument, openApiSchemaRef } from './document.ts'

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stentor interface</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`
const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true, validatorUrl: null })
`
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

/** The security requirement of a route that does not use a key or a session. */
function buildSecurity(config: FastifyContextConfig | undefined): object {
  if (config?.public) return { security: [] }
  return config?.session || config?.operator ? { security: [{ session: [] }] } : {}
}

/** Returns true if a schema admits null: by its type, or as one of its shapes. */
function isNullable({ type, anyOf = [] }: { type?: unknown; anyOf?: { type?: unknown }[] }): boolean {
  return [type].flat().includes('null') || anyOf.some((shape) => shape.type === 'null')
}

/** A schema in which what names a component is that component, or null where it may be null. */
function toComponentRef(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toComponentRef)
  if (typeof schema !== 'object' || schema === null) return schema
  const name: unknown = Reflect.get(schema, COMPONENT_REF_KEYWORD)
  if (name !== undefined) {
    const component = openApiSchemaRef(String(name))
    const { description } = schema as { description?: unknown }
    if (isNullable(schema)) return { anyOf: [component, { type: 'null' }], description }
    return description === undefined ? component : { ...component, description }
  }
  return Object.fromEntries(Object.entries(schema).map(([member, value]) => [member, toComponentRef(value)]))
}

/** A schema with the keywords that descriptions use, as the plugin makes them of the schemas of routes. */
function toOpenApiKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toOpenApiKeywords)
  if (typeof schema !== 'object' || schema === null) return schema
  const { const: constant, patternProperties, ...others } = schema as { const?: unknown; patternProperties?: object }
  return {
    ...Object.fromEntries(Object.entries(others).map(([keyword, value]) => [keyword, toOpenApiKeywords(value)])),
    ...(constant !== undefined && { enum: [constant] }),
    ...(patternProperties && { additionalProperties: toOpenApiKeywords(Object.values(patternProperties)[0]) }),
  }
}

/** The schema of a route with the traits that the route declares. */
function describeRouteSchema(schema: FastifySchema, config: FastifyContextConfig | undefined): FastifySchema {
  const { operationId, refusals, bodyTypes, answerTypes, answerName, ...describedSchema } = schema
  const notes = {
    operationId,
    refusals,
    bodyTypes: toOpenApiKeywords(toComponentRef(bodyTypes)),
    answerTypes,
    answerName,
  }
  return Object.assign(toComponentRef(describedSchema) as FastifySchema, buildSecurity(config), {
    'x-route': { ...config, ...notes },
  })
}

/** Parts of the description that no route has. */
export interface OpenApiAdditions {
  /** Components that schemas and webhooks refer to by name. */
  components: Pick<OpenApiDocument['components'], 'parameters' | 'responses'> & { schemas: Record<string, object> }
  /** Requests that the service sends. */
  webhooks: NonNullable<OpenApiDocument['webhooks']>
}

/**
 * Collects the schemas of the routes that follow; call it before they are registered. `schemas`: those that routes refer to by name.
 * `loadAdditions` is called when the description is first requested.
 */
export async function registerOpenApi(
  app: HttpApp,
  version: string,
  { schemas, loadAdditions }: { schemas: Record<string, object>; loadAdditions: () => Promise<OpenApiAdditions> },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Stentor',
        version: '8.1.0',
        description: `Contacts and the messages sent to them. Program version ${version}.`,
        contact: { name: 'The operator of this installation' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation.' }],
      components: {
        schemas,
        securitySchemes: {
          key: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Key',
            description: 'API key of an account; each key carries rights.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-stentor',
            description: 'Session of a signed-in user; the `X-Account` header names the account.',
          },
        },
      },
      security: [{ key: [] }, { session: [] }],
    },
    transform: ({ schema, url, route }) => ({ schema: describeRouteSchema(schema, route.config), url }),
  })
  let cachedDocument: OpenApiDocument | undefined
  app.get('/openapi.json', { config: { public: true }, schema: { hide: true } }, async () => {
    cachedDocument ??= describeRegisteredRoutes(app, await loadAdditions())
    return cachedDocument
  })
}

/** The description of all routes; call it when they are registered. */
export function describeRegisteredRoutes(app: HttpApp, { components, webhooks }: OpenApiAdditions): OpenApiDocument {
  const { security, tags, ...collected } = app.swagger() as unknown as OpenApiDocument
  const { schemas, securitySchemes } = collected.components
  return buildOpenApiDocument({
    ...collected,
    components: { ...components, schemas: { ...schemas, ...components.schemas }, securitySchemes },
    webhooks,
    security,
    tags,
  })
}

/** The files of the page, from the npm package: read once, works without internet. */
const assetTypes = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const

/** The interface in a browser. */
export async function registerApiDocs(app: HttpApp): Promise<void> {
  const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const publicRoute = { config: { public: true }, schema: { hide: true } }
  app.get('/docs', publicRoute, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_SECURITY_POLICY)
      .send(REFERENCE_PAGE),
  )
  app.get('/docs/start.js', publicRoute, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START_SCRIPT),
  )
  for (const [fileName, type] of assetTypes) {
    const fileContent = await readFile(join(assetFolder, fileName))
    app.get(`/docs/assets/${fileName}`, publicRoute, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=86400').send(fileContent),
    )
  }
}
