import type { HTTPMethods } from 'fastify'
import { Problem } from '../lib/problem.ts'
import type { App } from './app-type.ts'
import operations from './operations.json' with { type: 'json' }

/** `GET /actions/:id` from `{method: "GET", path: "/actions/{id}"}`. */
function routeOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** Two routes are one when they differ in the names of parameters or in case only. */
function shape(route: string): string {
  return route.replaceAll(/:\w+/g, ':').toLowerCase()
}

/** Operations of the interface that no route serves, as `GET /actions/:id`. */
export function notBuilt(routes: Iterable<string>): string[] {
  const built = new Set([...routes].map(shape))
  return [...new Set(operations.map(routeOf))].filter((route) => !built.has(shape(route)))
}

/** Answers 501 to the operations of the interface that are still to come, so that a client can tell them from unknown paths. */
export function registerNotBuilt(app: App, routes: Iterable<string>): void {
  for (const route of notBuilt(routes)) {
    const [method, url] = route.split(' ') as [HTTPMethods, string]
    app.route({
      method,
      url,
      config: { right: 'read' },
      schema: { hide: true },
      handler: async () => {
        throw new Problem(501, 'not-built', `${route} is part of the interface, but this version does not have it yet.`)
      },
    })
  }
}
